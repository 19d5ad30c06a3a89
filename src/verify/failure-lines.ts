/**
 * Finds the lines of an output that name one failure each: a failed test, a problem of a linter, an error. Many assertions say the
 * same in every test ("Expected values to be strictly equal"), so the names of the tests count as much as their errors.
 */
import { causesAt } from '../base/error-cause.ts';

/** Characters of a line that are looked at. */
const mostLine = 500;

/** All are anchored, or search for fixed words: linear on any line. */
const failures: readonly RegExp[] = [
  // jest, vitest, pytest, go, unittest
  /^\s*(?:FAIL|FAILED|ERROR)(?::|\s)\s*\S/,
  /^\s*● \S/,
  // node, ava, tap, xo and others that mark what fails
  /^\s*(?:✖|✗|✘|×|✕|❌)\s+\S/,
  /^\s*not ok \d/,
  // mocha, playwright, rspec, phpunit
  /^\s*\d+\) \S/,
  // go, cargo, gradle
  /^\s*--- FAIL: /,
  /^\S.* FAILED$/,
  // eslint
  /^\s+\d+:\d+\s+error\s/,
  // ruff
  /^[A-Z]{1,5}\d{3,4} (?:\[\*\] )?\S/,
  // prettier, black, ruff
  /^\[(?:warn|error)\] \S/,
  /^would reformat:? \S/i,
  // compilers and linters that begin with the place
  /^[^\s:]*[./][^\s:]*:\d+(?::\d+)?:? \S/,
  /^\S+\(\d+,\d+\): error /,
];

/** Lines that look like it: warnings, tests that are known to fail, and totals, which change with every test. */
const others =
  /:\d+:? (?:warning|note|info|help)\b|^\s*not ok .*# (?:TODO|SKIP)|^\s*✖ \d+ problems? \(|^\[warn\] Code style issues/i;

/** Their indices, in order. */
export function failuresAt(lines: readonly string[]): readonly number[] {
  const isOne = (line: string): boolean =>
    failures.some((pattern) => pattern.test(line)) && !others.test(line.slice(0, mostLine));
  const named = lines.flatMap((line, at) => (isOne(line.slice(0, mostLine)) ? [at] : []));
  return [...new Set([...named, ...causesAt(lines)])].toSorted((one, other) => one - other);
}
