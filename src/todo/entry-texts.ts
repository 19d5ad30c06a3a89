/** Entry texts: the entries of a TODO.md by number, as written, including everything below them. */
import { extentEnd } from './entry-extent.ts';
import { outlineOf } from './outline.ts';
import { todoEntries } from './todo-entry.ts';

export function entryTexts(text: string): Map<number, string> {
  const outline = outlineOf(text);
  const texts = new Map<number, string>();
  const entries = todoEntries(text, outline);
  const starts = new Set(entries.map(({ index }) => index));
  for (const entry of entries) {
    if (texts.has(entry.number)) continue;
    texts.set(entry.number, text.slice(entry.heading.at, extentEnd(text, outline, entry, starts)));
  }
  return texts;
}

const field = /^[ \t]{0,3}[-*+][ \t]{1,4}\*\*[\p{L} ]{1,40}\*\*[ \t]{0,4}:/u;
const described = /^[ \t]{0,3}(?:[-*+][ \t]{1,4})?\*\*description\*\*[ \t]{0,4}:[ \t]*/i;

/** The prose of an entry: everything but its heading and its fields. */
export function entryWords(entry: string): string {
  const [, ...lines] = entry.split(/\r?\n/);
  return lines
    .flatMap((line) => (described.test(line) ? [line.replace(described, '')] : field.test(line) ? [] : [line]))
    .join('\n')
    .trim();
}
