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
