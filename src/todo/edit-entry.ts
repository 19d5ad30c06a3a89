/** What becomes of single entries of a TODO.md: values that changed are replaced, missing fields added in a fixed order. */
import { areSameArtifacts, type Artifact, type FoundTask, isSameTime } from './found-task.ts';
import { linksOf } from './artifact-links.ts';
import { type Field, type FieldName, fieldNames, labelOf } from './entry-field.ts';
import { lineEnd, opaqueLevel, type Outline, outlineOf, ruleLevel } from './outline.ts';
import type { Splice } from './splice.ts';
import { statusMark } from './task-status.ts';
import { candidatesOf, type Entry, entryOf, foundIn, headingWords, isArtifact, isTasksHeading } from './todo-entry.ts';

/** Where the text of an entry ends. Between two rules, the second goes with it. */
export function extentEnd(text: string, outline: Outline, entry: Entry): number {
  const { marks } = outline;
  let next = entry.index + 1;
  for (; next < marks.length; next += 1) {
    const mark = marks[next];
    if (mark === undefined || mark.level <= entry.heading.level) break;
    if (mark.level === opaqueLevel) continue;
    const [candidate] = candidatesOf({ marks: [mark] });
    if (candidate !== undefined && entryOf(text, outline, { ...candidate, index: next }) !== undefined) break;
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
  while (at < text.length && text.slice(at, Math.min(lineEnd(text, at), at + 200)).trim() === '')
    at = lineEnd(text, at);
  return at;
}

/** What is written behind the label; undefined where there is nothing to say. */
function written(task: FoundTask, name: FieldName): string | undefined {
  if (name === 'status') return task.status === undefined ? undefined : statusMark(task.status);
  if (name === 'parent') return task.parent?.toString();
  if (name === 'created' || name === 'updated' || name === 'completed')
    return task[name]?.replace(/^(\d{4}-\d\d-\d\d)T.*$/, '$1');
  if (!isArtifact(name)) return task[name];
  const paths = ofType(task, name).map(({ path }) => path);
  return paths.length === 0 ? undefined : linksOf(paths);
}

function ofType(task: FoundTask, name: FieldName): readonly Artifact[] {
  return task.artifacts?.filter(({ type }) => type === name) ?? [];
}

function isSame(found: FoundTask, task: FoundTask, name: FieldName): boolean {
  if (isArtifact(name)) return areSameArtifacts(ofType(found, name), ofType(task, name));
  if (name === 'created' || name === 'updated' || name === 'completed') return isSameTime(found[name], task[name]);
  return found[name] === task[name];
}

export function entryChanges(text: string, entry: Entry, task: FoundTask, eol: string): Splice[] {
  const { task: found, unknownStatus } = foundIn(text, entry);
  const splices: Splice[] = [];
  if (found.title !== task.title) splices.push(headingChange(text, entry, task));
  const places = new Map(entry.fields.map((field) => [field.name, field]));
  const additions: Addition[] = [];
  for (const name of fieldNames) {
    if (isSame(found, task, name) && !(name === 'status' && unknownStatus !== undefined)) continue;
    const value = written(task, name);
    const field = places.get(name);
    if (field === undefined) {
      if (value !== undefined) additions.push({ name, value });
    } else if (value === undefined) splices.push({ at: field.at, end: field.next, text: '' });
    else
      splices.push({
        at: field.valueAt,
        end: field.end,
        text: / |\t/.test(text.charAt(field.valueAt - 1)) ? value : ` ${value}`,
      });
  }
  return [...splices, ...additionSplices(text, entry, additions, eol)];
}

function headingChange(text: string, { heading }: Entry, task: FoundTask): Splice {
  const line = text.slice(heading.at, heading.end);
  const end = heading.at + line.trimEnd().length;
  return { at: heading.at, end, text: `${'#'.repeat(heading.level)} ${headingWords(task.number, task.title)}` };
}

interface Addition {
  readonly name: FieldName;
  readonly value: string;
}

const lineOf = ({ name, value }: Addition): string =>
  name === 'description' ? `**${labelOf(name)}**: ${value}` : `- **${labelOf(name)}**: ${value}`;

/** Each behind the last of those that come before it, else above the first that is there. */
function additionSplices(
  text: string,
  { fields, heading }: Entry,
  additions: readonly Addition[],
  eol: string,
): Splice[] {
  const groups = new Map<number, Addition[]>();
  for (const addition of additions) {
    const order = fieldNames.indexOf(addition.name);
    const before = fields.findLast(({ name }) => fieldNames.indexOf(name) < order);
    const at = before?.next ?? fields[0]?.at ?? heading.end;
    groups.set(at, [...(groups.get(at) ?? []), addition]);
  }
  return [...groups].map(([at, group]) => {
    const isBefore = (field: Field): boolean => field.at === at && field.name === 'description';
    const lines = bodyLines(
      group,
      fields.some(({ next }) => next === at),
    );
    const needsBlank = fields.some(isBefore) || (group.at(-1)?.name === 'description' && !isBlankAt(text, at));
    const start = at > 0 && text[at - 1] !== '\n' ? eol : '';
    return { at, end: at, text: `${start}${lines.map((line) => line + eol).join('')}${needsBlank ? eol : ''}` };
  });
}

/** A description is a paragraph of its own. */
function bodyLines(group: readonly Addition[], isBelowField: boolean): string[] {
  return group.flatMap((addition, index) =>
    addition.name === 'description' && (index > 0 || isBelowField) ? ['', lineOf(addition)] : [lineOf(addition)],
  );
}

function isBlankAt(text: string, at: number): boolean {
  return text.slice(at, Math.min(lineEnd(text, at), at + 200)).trim() === '';
}

function newEntry(task: FoundTask, eol: string): string {
  const additions = fieldNames.flatMap((name) => {
    const value = written(task, name);
    return value === undefined ? [] : [{ name, value }];
  });
  return [`### ${headingWords(task.number, task.title)}`, ...bodyLines(additions, false), ''].join(eol);
}

/** At the end of the section `Tasks`, which is made where there is none. */
export function withNewEntries(text: string, tasks: readonly FoundTask[], eol: string): string {
  const outline = outlineOf(text);
  const entries = tasks.map((task) => newEntry(task, eol)).join(eol);
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

function closing({ open }: Outline, eol: string): string {
  return open === undefined ? '' : `${open.closing}${eol}${eol}`;
}

/** Behind the last line with words before `end`, apart from what is around it. */
function insertedAt(text: string, end: number, chunk: string, eol: string): string {
  const words = text.slice(0, end).trimEnd().length;
  const at = words === 0 ? 0 : Math.min(lineEnd(text, words), end);
  const before = at === 0 ? '' : `${text[at - 1] === '\n' ? '' : eol}${eol}`;
  const after = at === text.length || isBlankAt(text, at) ? '' : eol;
  return `${text.slice(0, at)}${before}${chunk}${after}${text.slice(at)}`;
}
