/** Reads the error lines of a failed command in a form that can be compared: the same failure in another room has the same lines. */
import { stripVTControlCharacters } from 'node:util';
import { causesAt } from '../base/error-cause.ts';
import { redact } from '../base/redact.ts';
import { oneLine } from '../base/text.ts';

/** Bounds what a run records about one command. */
const mostLines = 100;
const mostLine = 200;

/** `directory`: where the command ran, absolute. */
export function errorLines(output: string, directory: string): string[] {
  const lines = plainLines(output);
  const found = causesAt(lines).map((at) => comparable(lines[at] ?? '', directory));
  return [...new Set(found)].slice(0, mostLines);
}

export function plainLines(output: string): string[] {
  return stripVTControlCharacters(output).split(/\r*\n/);
}

/** Without the folder, places in files, durations and addresses: they change although the failure is the same. */
function comparable(line: string, directory: string): string {
  const text = line
    .slice(0, mostLine * 4)
    .replaceAll(`${directory}/`, '')
    .replaceAll(directory, '.')
    .replaceAll(/:\d+/g, ':#')
    .replaceAll(/\bline \d+/g, 'line #')
    .replaceAll(/0x[0-9a-f]+/gi, '#')
    .replaceAll(/\b\d+(?:\.\d+)? ?(?:ms|s)\b/g, '#');
  return oneLine(redact(text).text.trim(), mostLine);
}

/** The failure has an error that the base does not have; without a recognisable error, it ends in another way. */
export function isNewFailure(
  { errors, end }: { readonly errors: readonly string[]; readonly end: string },
  base: { readonly errors?: readonly string[] | undefined; readonly end: string },
): boolean {
  const known = new Set(base.errors);
  return errors.length === 0 ? known.size > 0 || end !== base.end : errors.some((line) => !known.has(line));
}

/** The last lines of a known-red command that fails anew: without the errors that the base has, so that the new one is taken for the cause. */
export function newFailureTail(
  tail: string,
  { errors, directory }: { readonly errors: readonly string[]; readonly directory: string },
  base: { readonly errors?: readonly string[] | undefined },
): string {
  const known = new Set(base.errors);
  const added = errors.filter((line) => !known.has(line));
  const [first] = added;
  if (first === undefined) return tail;
  const lines = tail.split('\n').filter((line) => !known.has(comparable(line, directory)));
  const isShown = lines.some((line) => added.includes(comparable(line, directory)));
  return (isShown ? lines : [first, '…', ...lines]).join('\n');
}
