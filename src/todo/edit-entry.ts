/** Edit entry: updates an entry of TODO.md whose task changed. Replaces values that differ, and adds missing fields in a fixed order. */
import { linksOf } from './artifact-links.ts';
import { type EntryField, type FieldName, fieldNames, isArtifact } from './entry-field.ts';
import { isBlankAt } from './entry-extent.ts';
import { entryLines, ofType, type FieldValue, saysSame, type FileStyle, valueFor } from './entry-values.ts';
import type { FoundTask } from './found-task.ts';
import type { Splice } from './splice.ts';
import { type TodoEntry, foundIn, headingWords, statusIn } from './todo-entry.ts';

export function entryChanges(text: string, entry: TodoEntry, task: FoundTask, around: FileStyle): Splice[] {
  const { task: found, unknownStatus } = foundIn(text, entry, around.folder);
  const splices: Splice[] = found.title === task.title ? [] : [headingChange(text, entry, task)];
  const additions: FieldValue[] = [];
  for (const name of fieldNames) {
    if (saysSame(found, task, name) && unknownStatus?.name !== name) continue;
    const fields = entry.fields.filter((field) => field.name === name);
    const value = valueFor(task, name, around.folder);
    if (fields.length > 0) splices.push(...fieldChanges(text, fields, { name, value, found, task }, around));
    else if (value !== undefined) additions.push({ name, value });
  }
  return [...splices, ...additionSplices(text, entry, additions, around.eol)];
}

function headingChange(text: string, { heading }: TodoEntry, task: FoundTask): Splice {
  const end = heading.at + text.slice(heading.at, heading.end).trimEnd().length;
  return { at: heading.at, end, text: `${'#'.repeat(heading.level)} ${headingWords(task.number, task.title)}` };
}

interface Change {
  readonly name: FieldName;
  readonly value: string | undefined;
  readonly found: FoundTask;
  readonly task: FoundTask;
}

/** Only artifacts have several fields of a kind; writes to the last one. */
function fieldChanges(text: string, fields: readonly EntryField[], change: Change, around: FileStyle): Splice[] {
  const { name, value, found, task } = change;
  const last = fields.at(-1);
  const going = fields.map(({ at, next }) => ({ at, end: next, text: '' }));
  if (last === undefined || value === undefined) return going;
  if (!isArtifact(name)) return [valueChange(text, last, value)];
  const there = new Set(ofType(found, name).map(({ path }) => path));
  const wanted = ofType(task, name).map(({ path }) => path);
  const missing = wanted.filter((path) => !there.has(path));
  const isGrown = there.size > 0 && there.size + missing.length === new Set(wanted).size;
  if (!isGrown) return [...going.slice(0, -1), valueChange(text, last, value)];
  return [{ at: last.end, end: last.end, text: moreLinks(text, last, linksOf(missing, around.folder), around.eol) }];
}

/** On the same line, or on a line of its own like the others. */
function moreLinks(text: string, { at, end }: EntryField, links: readonly string[], eol: string): string {
  const lastLine = text.slice(text.lastIndexOf('\n', end - 1) + 1, end);
  const isList = text.slice(at, end).includes('\n');
  const bullet = isList ? (/^[ \t]*(?:[-*+][ \t]+)?/.exec(lastLine)?.[0] ?? '') : '';
  return isList ? links.map((link) => eol + bullet + link).join('') : links.map((link) => `, ${link}`).join('');
}

/** Keeps a remark after the brackets of a status. */
function valueChange(text: string, { name, valueAt, end }: EntryField, value: string): Splice {
  const before = text.slice(valueAt, end);
  const status = name === 'status' ? statusIn(before) : before;
  const isMark = status.startsWith('[') && before.startsWith(status);
  const gap = /[ \t]/.test(text.charAt(valueAt - 1)) ? '' : ' ';
  return { at: valueAt, end: isMark ? valueAt + status.length : end, text: gap + value };
}

/** After the last field that precedes it, otherwise above the first one. */
function additionSplices(
  text: string,
  { fields, heading }: TodoEntry,
  additions: readonly FieldValue[],
  eol: string,
): Splice[] {
  const groups = new Map<number, FieldValue[]>();
  for (const addition of additions) {
    const order = fieldNames.indexOf(addition.name);
    const before = fields.findLast(({ name }) => fieldNames.indexOf(name) < order);
    const at = before?.next ?? fields[0]?.at ?? heading.end;
    groups.set(at, [...(groups.get(at) ?? []), addition]);
  }
  return [...groups].map(([at, group]) => {
    const isBelowField = fields.some(({ next }) => next === at);
    const isAboveDescription = fields.some((field) => field.at === at && field.name === 'description');
    const endsInDescription = group.at(-1)?.name === 'description';
    const start = at > 0 && text[at - 1] !== '\n' ? eol : '';
    const end = isAboveDescription || (endsInDescription && !isBlankAt(text, at)) ? eol : '';
    const lines = entryLines(group, isBelowField).map((line) => line + eol);
    return { at, end: at, text: `${start}${lines.join('')}${end}` };
  });
}
