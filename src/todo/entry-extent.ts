/** Entry extent: finds the end of an entry in TODO.md. */
import { lineEnd, opaqueLevel, type Outline, ruleLevel } from './outline.ts';
import type { TodoEntry } from './todo-entry.ts';

/** The end of the entry; `starts` has the indexes of all entries. Between two rules, the second one belongs to it. */
export function extentEnd(text: string, { marks }: Outline, entry: TodoEntry, starts: ReadonlySet<number>): number {
  let next = entry.index + 1;
  for (; next < marks.length; next += 1) {
    const mark = marks[next];
    if (mark === undefined || mark.level <= entry.heading.level) break;
    if (mark.level !== opaqueLevel && starts.has(next)) break;
  }
  const mark = marks[next];
  if (mark === undefined) return text.length;
  const before = marks[entry.index - 1];
  const isBetweenRules =
    mark.level === ruleLevel && before?.level === ruleLevel && text.slice(before.end, entry.heading.at).trim() === '';
  return isBetweenRules ? blankEnd(text, mark.end) : mark.at;
}

function blankEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlankAt(text, at)) at = lineEnd(text, at);
  return at;
}

/** True for a blank line, and at the end of the text. */
export function isBlankAt(text: string, at: number): boolean {
  return text.slice(at, lineEnd(text, at)).trim() === '';
}
