/** Recognises the lines with which test runners, linters and compilers name one failure each. */

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
  /^\s*\d+:\d+\s+error\s/,
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

export function isFailureLine(line: string): boolean {
  const start = line.slice(0, mostLine);
  return failures.some((pattern) => pattern.test(start)) && !others.test(start);
}
