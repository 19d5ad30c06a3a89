/**
 * TODO file: reads backlog tasks from TODO.md, and edits those that changed.
 *
 * Promises: linear time; bytes outside changed fields stay; no value of a task can become a heading or a field.
 */
import { entryChanges } from './edit-entry.ts';
import type { ProjectTask } from './project-task.ts';
import { type Splice, spliced } from './splice.ts';
import { extentEnd, isBlankAt } from './entry-extent.ts';
import { allFieldValues, entryLines, type FileStyle } from './entry-values.ts';
import { foundOf, type FoundTask, type TodoFault, type TodoReading } from './found-task.ts';
import { lineEnd, type Outline, outlineOf, ruleLevel } from './outline.ts';
import { todoEntries, foundIn, headingWords, isTasksHeading, valueOf } from './todo-entry.ts';

/** `folder` is the folder of the file in the project, for its links. */
export function readTodo(text: string, folder = ''): TodoReading {
  const outline = outlineOf(text);
  const entries = new Map<number, FoundTask>();
  const faults: { readonly at: number; readonly number?: number; readonly message: string }[] = [];
  for (const entry of todoEntries(text, outline)) {
    const { number } = entry;
    if (entries.has(number)) {
      faults.push({
        at: entry.heading.at,
        number,
        message: `task number ${number} is used twice; only the first one is read`,
      });
      continue;
    }
    const { task, unknownStatus } = foundIn(text, entry, folder);
    entries.set(number, task);
    if (unknownStatus !== undefined) {
      const message = `unknown status ${JSON.stringify(valueOf(text, unknownStatus).slice(0, 60))}`;
      faults.push({ at: unknownStatus.at, number, message });
    }
  }
  if (outline.open !== undefined)
    faults.push({
      at: outline.open.at,
      message: `unclosed, expected ${outline.open.closing}: nothing below this line is read`,
    });
  return { entries, faults: withLines(text, faults) };
}

/** In text order: lines are counted once. */
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

/** Appends new tasks to the section `Tasks` in the order given; removes entries with their text. */
export function editTodo(text: string, { put, remove }: TodoChanges, folder = ''): string {
  const outline = outlineOf(text);
  const removed = new Set(remove);
  const all = todoEntries(text, outline);
  const places = new Map(all.toReversed().map((entry) => [entry.number, entry]));
  const starts = new Set(all.map(({ index }) => index));
  const wanted = new Map(put.filter(({ number }) => !removed.has(number)).map((task) => [task.number, foundOf(task)]));
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const splices: Splice[] = [];
  for (const number of removed) {
    const entry = places.get(number);
    if (entry !== undefined)
      splices.push({ at: entry.heading.at, end: extentEnd(text, outline, entry, starts), text: '' });
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

function withNewEntries(text: string, tasks: readonly FoundTask[], { eol, folder }: FileStyle): string {
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

function entryText(task: FoundTask, { eol, folder }: FileStyle): string {
  const heading = `### ${headingWords(task.number, task.title)}`;
  return [heading, ...entryLines(allFieldValues(task, folder), false), ''].join(eol);
}

/** Inside open code or an open comment, an entry would not be read. */
function closing({ open }: Outline, eol: string): string {
  return open === undefined ? '' : `${open.closing}${eol}${eol}`;
}

/** Inserts after the last non-blank line before `end` (at the end of the text, after everything), separated by blank lines. */
function insertedAt(text: string, end: number, chunk: string, eol: string): string {
  const words = text.slice(0, end).trimEnd().length;
  if (words === 0 && end === text.length) return text + chunk;
  const at = end === text.length ? end : Math.min(lineEnd(text, words), end);
  const isApart = at === 0 || /\n[ \t]*\r?\n$/.test(text.slice(Math.max(0, at - 200), at));
  const before = isApart ? '' : `${text[at - 1] === '\n' ? '' : eol}${eol}`;
  const after = at === text.length || isBlankAt(text, at) ? '' : eol;
  return `${text.slice(0, at)}${before}${chunk}${after}${text.slice(at)}`;
}
