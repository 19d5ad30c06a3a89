/** New entries of TODO.md: at the end of the section `Tasks`, which is made where there is none. */
import { isBlankAt } from './entry-extent.ts';
import { allSaid, linesOf, type Surroundings } from './entry-values.ts';
import type { FoundTask } from './found-task.ts';
import { lineEnd, type Outline, outlineOf, ruleLevel } from './outline.ts';
import { headingWords, isTasksHeading } from './todo-entry.ts';

export function withNewEntries(text: string, tasks: readonly FoundTask[], { eol, folder }: Surroundings): string {
  const outline = outlineOf(text);
  const entries = tasks.map((task) => entryText(task, { eol, folder })).join(eol);
  const section = outline.marks.findIndex(isTasksHeading);
  const heading = outline.marks[section];
  if (heading === undefined) {
    const top = text.trim() === '' ? `# TODO${eol}${eol}` : '';
    return insertedAt(text, text.length, `${closing(outline, eol)}${top}## Tasks${eol}${eol}${entries}`, eol);
  }
  const next = outline.marks.find(({ level }, index) => index > section && level > ruleLevel && level <= heading.level);
  if (next !== undefined) return insertedAt(text, next.at, entries, eol);
  return insertedAt(text, text.length, `${closing(outline, eol)}${entries}`, eol);
}

function entryText(task: FoundTask, { eol, folder }: Surroundings): string {
  const heading = `### ${headingWords(task.number, task.title)}`;
  return [heading, ...linesOf(allSaid(task, folder), false), ''].join(eol);
}

/** In open code or an open comment an entry would be none. */
function closing({ open }: Outline, eol: string): string {
  return open === undefined ? '' : `${open.closing}${eol}${eol}`;
}

/** Behind the last line with words before `end` (at the end of the text, behind everything), apart from what is around it. */
function insertedAt(text: string, end: number, chunk: string, eol: string): string {
  const words = text.slice(0, end).trimEnd().length;
  if (words === 0 && end === text.length) return text + chunk;
  const at = end === text.length ? end : Math.min(lineEnd(text, words), end);
  const isApart = at === 0 || /\n[ \t]*\r?\n$/.test(text.slice(Math.max(0, at - 200), at));
  const before = isApart ? '' : `${text[at - 1] === '\n' ? '' : eol}${eol}`;
  const after = at === text.length || isBlankAt(text, at) ? '' : eol;
  return `${text.slice(0, at)}${before}${chunk}${after}${text.slice(at)}`;
}
