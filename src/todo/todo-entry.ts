/**
 * TODO entry: finds and reads the entries of a TODO.md.
 *
 * An entry is a heading with a number (`### 244. Title`) that is directly below a heading `Tasks` or has a field. A bare
 * `### 244. Title` elsewhere is one too, if its number is unique and it is not part of another entry. Other numbered headings are
 * chapters. Its fields are above the next heading of any level; its text extends to the next heading of the same or a higher level,
 * to a rule, or to the next entry.
 */
import { defined } from '../base/defined.ts';
import { type Artifact, type FoundTask, singleLine, plainValue, titleLine } from './found-task.ts';
import { type EntryField, entryFields, isArtifact, isTime } from './entry-field.ts';
import { pathsOf } from './artifact-links.ts';
import { type OutlineMark, opaqueLevel, type Outline, ruleLevel } from './outline.ts';
import { readTaskStatus } from './task-status.ts';

/** A heading that may start an entry. */
interface Candidate {
  readonly number: number;
  readonly title: string;
  /** The index of its heading among the marks. */
  readonly index: number;
  readonly isBelowTasks: boolean;
}

export interface TodoEntry extends Candidate {
  readonly heading: OutlineMark;
  readonly fields: readonly EntryField[];
}

const form =
  /^(\*\*|__)?(?:task[ \t]+)?#?(\d{1,9})(\*\*|__)?(?:[.):]|[ \t]+[-–—:](?=[ \t]|$))(?:\*\*|__)?(?:[ \t]+(\S.*))?$/isu;

function* candidatesOf({ marks }: Outline): Generator<Candidate> {
  let tasksLevel = 0;
  for (const [index, mark] of marks.entries()) {
    if (mark.level === ruleLevel || mark.level === opaqueLevel) continue;
    if (mark.level <= tasksLevel) tasksLevel = 0;
    if (isTasksHeading(mark)) tasksLevel = mark.level;
    const found = numberOf(mark);
    if (found === undefined) continue;
    const isBelowTasks = tasksLevel > 0 && mark.level > tasksLevel && mark.level <= 3;
    yield { number: found.number, title: found.title, index, isBelowTasks };
  }
}

export function isTasksHeading({ level, text }: OutlineMark): boolean {
  return (level === 1 || level === 2) && text.toLowerCase() === 'tasks';
}

function numberOf({ text }: OutlineMark): { readonly number: number; readonly title: string } | undefined {
  const found = form.exec(text);
  const number = Number(found?.[2]);
  if (found === null || !(number > 0)) return undefined;
  const title = found[4] ?? '';
  const isWrapped = found[1] !== undefined && found[3] === undefined && title.endsWith(found[1]);
  return { number, title: titleOf(isWrapped ? title.slice(0, -found[1]!.length) : title) };
}

const closingMarks = /(?<=^|\s)\\(?=\\*#+$)/;

function titleOf(words: string): string {
  return titleLine(words.replace(closingMarks, ''));
}

/** The words of a task's heading; escapes trailing marks, which would close the heading. */
export function headingWords(number: number, title: string): string {
  return `${number}. ${titleLine(title).replace(/(?<=^|\s)(?=\\*#+$)/, '\\')}`;
}

/** In the order of the text. */
export function todoEntries(text: string, outline: Outline): TodoEntry[] {
  const all = [...candidatesOf(outline)].flatMap((candidate) => entryAt(text, outline, candidate) ?? []);
  const isSure = ({ fields, isBelowTasks }: TodoEntry): boolean => fields.length > 0 || isBelowTasks;
  const sure = all.filter(isSure);
  if (sure.length === all.length) return all;
  const taken = new Set(sure.map(({ number }) => number));
  const bare = all.filter((entry) => !isSure(entry) && entry.heading.level === bareLevel);
  const times = Map.groupBy(bare, ({ number }) => number);
  const inside = partsOf(outline, sure);
  const isEntry = ({ number, index }: TodoEntry): boolean =>
    !taken.has(number) && times.get(number)?.length === 1 && !inside.has(index);
  const found = new Set([...sure, ...bare.filter(isEntry)]);
  return all.filter((entry) => found.has(entry));
}

const bareLevel = 3;

/** Indexes of the headings that are part of an entry of a higher rank. */
function partsOf({ marks }: Outline, sure: readonly TodoEntry[]): Set<number> {
  const starts = new Set(sure.map(({ index }) => index));
  const parts = new Set<number>();
  let around = 0;
  for (const [index, { level }] of marks.entries()) {
    if (level === opaqueLevel) continue;
    if (level <= around) around = 0;
    if (around > 0) parts.add(index);
    if (starts.has(index)) around = level;
  }
  return parts;
}

function entryAt(text: string, { marks }: Outline, candidate: Candidate): TodoEntry | undefined {
  const heading = marks[candidate.index];
  if (heading === undefined) return undefined;
  let next = candidate.index + 1;
  while (marks[next]?.level === opaqueLevel) next += 1;
  const to = marks[next]?.at ?? text.length;
  return { ...candidate, heading, fields: entryFields(text, heading.end, to, marks, candidate.index + 1) };
}

/** The task of an entry, and its status word if it is unknown. */
export function foundIn(
  text: string,
  { number, title, fields }: TodoEntry,
  folder: string,
): { readonly task: FoundTask; readonly unknownStatus?: EntryField } {
  const task: { -readonly [name in keyof FoundTask]: FoundTask[name] } = { number, title };
  const artifacts: Artifact[] = [];
  let unknownStatus: EntryField | undefined;
  for (const field of fields) {
    const value = valueOf(text, field);
    const { name } = field;
    if (name === 'status') {
      const status = readTaskStatus(statusIn(value));
      if (status === undefined) unknownStatus = field;
      else task.status = status;
    } else if (name === 'parent') {
      const parent = Number(/\d{1,9}/.exec(value)?.[0]);
      if (parent > 0) task.parent = parent;
    } else if (name === 'description') {
      if (value !== '') task.description = value;
    } else if (isArtifact(name)) {
      for (const path of pathsOf(value, folder)) artifacts.push({ type: name, path });
    } else {
      const plain = isTime(name) ? (/^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?/.exec(value)?.[0] ?? '') : plainValue(value);
      if (plain !== '') task[name] = plain;
    }
  }
  if (artifacts.length > 0) task.artifacts = artifacts;
  return { task, ...defined({ unknownStatus }) };
}

const bracketed = /^[^[]{0,20}(\[[^\]]{0,40}\])/;

/** Text after the brackets is a remark. */
export function statusIn(value: string): string {
  return bracketed.exec(value)?.[1] ?? value;
}

export function valueOf(text: string, { valueAt, end }: EntryField): string {
  return singleLine(text.slice(valueAt, end));
}
