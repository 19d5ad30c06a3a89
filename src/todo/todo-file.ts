/**
 * TODO.md: read for what it says of backlog tasks, and edited where they changed.
 *
 * Promises: linear time; every byte that belongs to no changed field stays; what a task says cannot become a heading or a field.
 */
import { entryChanges } from './edit-entry.ts';
import type { ProjectTask } from './project-task.ts';
import { type Splice, spliced } from './splice.ts';
import { extentEnd, isBlankAt } from './entry-extent.ts';
import { allSaid, linesOf, type Surroundings } from './entry-values.ts';
import { foundOf, type FoundTask, type TodoFault, type TodoReading } from './found-task.ts';
import { lineEnd, type Outline, outlineOf, ruleLevel } from './outline.ts';
import { candidatesOf, type Entry, entryOf, foundIn, headingWords, isTasksHeading, valueOf } from './todo-entry.ts';

/** `folder` is where the file lies in the project, for its links. */
export function readTodo(text: string, folder = ''): TodoReading {
  const outline = outlineOf(text);
  const entries = new Map<number, FoundTask>();
  const faults: { readonly at: number; readonly number?: number; readonly message: string }[] = [];
  for (const candidate of candidatesOf(outline)) {
    const entry = entryOf(text, outline, candidate);
    if (entry === undefined) continue;
    const { number } = entry;
    if (entries.has(number)) {
      faults.push({
        at: entry.heading.at,
        number,
        message: `a second entry with the number ${number}; the first one counts`,
      });
      continue;
    }
    const { task, unknownStatus } = foundIn(text, entry, folder);
    entries.set(number, task);
    if (unknownStatus !== undefined) {
      const message = `no status is called ${JSON.stringify(valueOf(text, unknownStatus).slice(0, 60))}`;
      faults.push({ at: unknownStatus.at, number, message });
    }
  }
  if (outline.open !== undefined)
    faults.push({
      at: outline.open.at,
      message: `this has no end (${outline.open.closing}): nothing below it is read`,
    });
  return { entries, faults: withLines(text, faults) };
}

/** They come in the order of the text, so that lines are counted once. */
function withLines(text: string, faults: readonly ({ readonly at: number } & TodoFault)[]): TodoFault[] {
  let line = 1;
  let counted = 0;
  return faults.map(({ at, ...fault }) => {
    for (let end = text.indexOf('\n', counted); end >= 0 && end < at; end = text.indexOf('\n', counted)) {
      counted = end + 1;
      line += 1;
    }
    return { line, ...fault };
  });
}

export interface TodoChanges {
  readonly put: readonly ProjectTask[];
  readonly remove: readonly number[];
}

/** New tasks go to the end of the section `Tasks` in the order given; an entry that is removed goes with its text. */
export function editTodo(text: string, { put, remove }: TodoChanges, folder = ''): string {
  const outline = outlineOf(text);
  const removed = new Set(remove);
  const places = located(text, outline, new Set([...removed, ...put.map(({ number }) => number)]));
  const wanted = new Map(put.filter(({ number }) => !removed.has(number)).map((task) => [task.number, foundOf(task)]));
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const splices: Splice[] = [];
  for (const number of removed) {
    const entry = places.get(number);
    if (entry !== undefined) splices.push({ at: entry.heading.at, end: extentEnd(text, outline, entry), text: '' });
  }
  const added: FoundTask[] = [];
  for (const [number, task] of wanted) {
    const entry = places.get(number);
    if (entry === undefined) added.push(task);
    else splices.push(...entryChanges(text, entry, task, { eol, folder }));
  }
  const edited = spliced(text, splices);
  return added.length === 0 ? edited : withNewEntries(edited, added, { eol, folder });
}

function located(text: string, outline: Outline, numbers: ReadonlySet<number>): Map<number, Entry> {
  const places = new Map<number, Entry>();
  for (const candidate of candidatesOf(outline)) {
    if (!numbers.has(candidate.number) || places.has(candidate.number)) continue;
    const entry = entryOf(text, outline, candidate);
    if (entry !== undefined) places.set(candidate.number, entry);
    if (places.size === numbers.size) break;
  }
  return places;
}

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
