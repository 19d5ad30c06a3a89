/** Reads the error lines of a failed command in a form that can be compared: the same failure in another room has the same lines. */
import { stripVTControlCharacters } from 'node:util';
import { causesAt } from '../base/error-cause.ts';
import { redact } from '../base/redact.ts';
import { oneLine } from '../base/text.ts';
import { hashText } from '../workspace/hash-text.ts';

/** Bounds what a run records about one command: this many lines, and the hashes of so many more. */
const mostLines = 100;
const mostHashes = 10_000;
const mostLine = 200;

/** `directory`: where the command ran, absolute. */
export function errorLines(output: string, directory: string): string[] {
  const lines = plainLines(output);
  return [...new Set(causesAt(lines).map((at) => comparable(lines[at] ?? '', directory)))];
}

/** What a run records of the error lines at the base; `isNewFailure` compares with it. */
export function recordedErrors(errors: readonly string[]): string[] {
  return [...errors.slice(0, mostLines), ...errors.slice(mostLines, mostLines + mostHashes).map(shortHash)];
}

const shortHash = (line: string): string => hashText(line).slice(0, 12);

function isOf(base: { readonly errors?: readonly string[] | undefined }): (line: string) => boolean {
  const known = new Set(base.errors);
  return (line) => known.has(line) || (known.size > mostLines && known.has(shortHash(line)));
}

export function plainLines(output: string): string[] {
  return stripVTControlCharacters(output).split(/\r*\n/);
}

/** Without the folder, places in files, numbers of failures, times, addresses and random names: they change although the failure is the same. */
function comparable(line: string, directory: string): string {
  const text = line
    .slice(0, mostLine * 4)
    .trimEnd()
    // Runners print it for slow tests only.
    .replace(/ \(?\d+(?:\.\d+)? ?(?:µs|ms|s|min)\)?$/, '')
    .replaceAll(`${directory}/`, '')
    .replaceAll(directory, '.')
    .replaceAll(/\/(?:tmp|var\/tmp|var\/folders)\/[^\s'")]+/g, '/tmp/#')
    .replace(/^(\s*)(?:\d+:\d+(?=\s)|\d+(?=\) ))/, '$1#')
    .replace(/^(\s*not ok) \d+/, '$1 #')
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?|\b\d\d:\d\d:\d\d(?:\.\d+)?\b/g, '#')
    .replaceAll(/\(\d+,\d+\)/g, '(#,#)')
    .replaceAll(/:\d+/g, ':#')
    .replaceAll(/\bline \d+/g, 'line #')
    .replaceAll(/0x[0-9a-f]+|\b\d{6,}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '#')
    .replaceAll(/\b(pid|process) \d+/gi, '$1 #')
    .replaceAll(/\b\d+(?:\.\d+)? ?(?:µs|ms|s|seconds?|min)\b/g, '#')
    .replaceAll(/\s+/g, ' ');
  return oneLine(redact(text).text.trim(), mostLine);
}

/** The failure has an error that the base does not have; without a recognisable error, it ends in another way. */
export function isNewFailure(
  { errors, end }: { readonly errors: readonly string[]; readonly end: string },
  base: { readonly errors?: readonly string[] | undefined; readonly end: string },
): boolean {
  const isKnown = isOf(base);
  return errors.length === 0 ? (base.errors ?? []).length > 0 || end !== base.end : !errors.every(isKnown);
}

/** The last lines of a known-red command that fails anew: without the errors that the base has, so that the new one is taken for the cause. */
export function newFailureTail(
  tail: string,
  { errors, directory }: { readonly errors: readonly string[]; readonly directory: string },
  base: { readonly errors?: readonly string[] | undefined },
): string {
  const isKnown = isOf(base);
  const added = new Set(errors.filter((line) => !isKnown(line)));
  const [first] = added;
  if (first === undefined) return tail;
  const lines = tail.split('\n').filter((line) => !isKnown(comparable(line, directory)));
  const isShown = lines.some((line) => added.has(comparable(line, directory)));
  return (isShown ? lines : [first, '…', ...lines]).join('\n');
}
