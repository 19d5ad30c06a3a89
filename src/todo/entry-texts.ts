/** The entries of a TODO.md as they stand there, by number: with everything that people wrote below them. */
import { extentEnd } from './entry-extent.ts';
import { outlineOf } from './outline.ts';
import { candidatesOf, entryOf } from './todo-entry.ts';

export function entryTexts(text: string): Map<number, string> {
  const outline = outlineOf(text);
  const texts = new Map<number, string>();
  for (const candidate of candidatesOf(outline)) {
    const entry = entryOf(text, outline, candidate);
    if (entry === undefined || texts.has(entry.number)) continue;
    texts.set(entry.number, text.slice(entry.heading.at, extentEnd(text, outline, entry)));
  }
  return texts;
}

const field = /^[ \t]{0,3}[-*+][ \t]{1,4}\*\*[\p{L} ]{1,40}\*\*[ \t]{0,4}:/u;
const described = /^[ \t]{0,3}(?:[-*+][ \t]{1,4})?\*\*description\*\*[ \t]{0,4}:[ \t]*/i;

/** What an entry says about its task in words: all but its heading and the lines of its fields. */
export function entryWords(entry: string): string {
  const [, ...lines] = entry.split(/\r?\n/);
  return lines
    .flatMap((line) => (described.test(line) ? [line.replace(described, '')] : field.test(line) ? [] : [line]))
    .join('\n')
    .trim();
}
