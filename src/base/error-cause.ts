/**
 * Finds the line of a failed program's output that names the cause. Node, npm, vitest, pytest, cargo and go end their output with
 * a summary, a version or a stack trace, so the last line rarely is the cause.
 */

import { isFailureLine } from './failure-line.ts';

/** Characters of a line that are looked at. */
const mostLine = 500;

interface Cause {
  readonly is: RegExp;
  /** Lines that look like it and only repeat that something failed. */
  readonly not?: RegExp;
  /** The cause is the line after it. */
  readonly next?: true;
  /** The last such line counts; by default the first does. */
  readonly last?: true;
}

const thrown = /^\s*(?:Uncaught |Exception during run: )?(?:[A-Za-z_][\w.]*)?(?:Error|Exception)(?: \[\w+\])?: \S/;

/** The first row that any line matches decides. All are anchored, or search for fixed words: linear on any line. */
const causes: readonly Cause[] = [
  // what a confined program was not allowed to do
  { is: / is outside the room: add it to confine\.writable$/ },
  // pytest
  { is: /^E +(?:assert\b|[\w.]*(?:Error|Exception|Failed)\b)/ },
  // rustc and cargo
  { is: /^error(?:\[E\d+\])?: /, not: /^error: (?:could not compile|test failed|aborting due to|\d+ targets? failed)/ },
  { is: /^thread '.*' (?:\(\d+\) )?panicked at .*:$/, next: true },
  // go
  { is: /^\s*--- FAIL: /, next: true },
  { is: /^\S+\.go:\d+(?::\d+)?: / },
  { is: /^panic: / },
  // typescript
  { is: /error TS\d+: / },
];

/** Python prints the cause of an exception before the exception itself; Node prints a stack below it. */
const exceptions = (isPython: boolean): readonly Cause[] => [
  isPython ? { is: thrown, last: true } : { is: thrown },
  {
    is: /^npm (?:error|ERR!) \S/,
    not: /^npm (?:error|ERR!) (?:A complete log|code |path |command |Lifecycle script|errno )/,
  },
  { is: /: (?:command )?not found$|: No such file or directory$|: Permission denied$/ },
  { is: /^\s*(?:fatal|error|ERROR|Error|FATAL)\b.?:? \S/ },
  // jest, whose assertions have no name
  { is: /^\s*● (?!Console\b)\S/ },
];

/** The index of the line; undefined if none of them names a cause, or at least what has failed. */
export function causeAt(lines: readonly string[]): number | undefined {
  for (const row of rowsFor(lines)) {
    const all = fitting(lines, row);
    if (all.length > 0) return row.last === true ? all.at(-1) : all[0];
  }
  const failed = lines.findIndex(isFailureLine);
  return failed === -1 ? undefined : failed;
}

/**
 * The indices of all lines that name a failure or its cause, in order. Many assertions say the same in every test ("Expected values
 * to be strictly equal"), so the names of the tests count as much.
 */
export function causesAt(lines: readonly string[]): readonly number[] {
  const causing = rowsFor(lines).flatMap((row) => fitting(lines, row));
  const failed = lines.flatMap((line, at) => (isFailureLine(line) ? [at] : []));
  return [...new Set([...failed, ...causing])].toSorted((one, other) => one - other);
}

function rowsFor(lines: readonly string[]): readonly Cause[] {
  return [...causes, ...exceptions(lines.some((line) => line.startsWith('Traceback (most recent call last)')))];
}

function fitting(lines: readonly string[], { is, not, next }: Cause): readonly number[] {
  const fits = (line: string): boolean => is.test(line.slice(0, mostLine)) && not?.test(line) !== true;
  const found = lines.flatMap((line, at) => (fits(line) ? [at] : []));
  return next === true ? found.map((at) => Math.min(at + 1, lines.length - 1)) : found;
}
