/** Entry field: finds the lines of a TODO.md entry that hold known fields: `- **Status**: [PLANNED]`. */
import { lineEnd, type OutlineMark, opaqueLevel } from './outline.ts';

/** In writing order. */
export const fieldNames = [
  'status',
  'language',
  'effort',
  'priority',
  'parent',
  'reason',
  'report',
  'plan',
  'implementation',
  'documentation',
  'summary',
  'created',
  'updated',
  'completed',
  'description',
] as const;
export type FieldName = (typeof fieldNames)[number];

const artifactNames = ['report', 'plan', 'implementation', 'documentation', 'summary'] as const satisfies FieldName[];

const artifacts: ReadonlySet<FieldName> = new Set(artifactNames);

/** These fields hold links; there may be several of a kind. */
export function isArtifact(name: FieldName): name is (typeof artifactNames)[number] {
  return artifacts.has(name);
}

export function isTime(name: FieldName): name is 'created' | 'updated' | 'completed' {
  return name === 'created' || name === 'updated' || name === 'completed';
}

/** The label that is written, then its synonyms. */
const words: Readonly<Record<FieldName, readonly [string, ...string[]]>> = {
  status: ['Status'],
  language: ['Language'],
  effort: ['Effort', 'Estimated Effort', 'Estimate'],
  priority: ['Priority'],
  parent: ['Parent', 'Parent Task'],
  reason: ['Reason', 'Blocked Reason'],
  report: ['Research', 'Report', 'Reports', 'Research Report', 'Research Reports', 'Review'],
  plan: ['Plan', 'Plans', 'Implementation Plan'],
  implementation: ['Implementation', 'Implementation Artifacts'],
  documentation: ['Documentation', 'Docs'],
  summary: ['Summary', 'Implementation Summary', 'Summaries'],
  created: ['Created', 'Created At', 'Added'],
  updated: ['Updated', 'Last Updated'],
  completed: ['Completed', 'Completed At', 'Completed On'],
  description: ['Description'],
};

const names: ReadonlyMap<string, FieldName> = new Map(
  fieldNames.flatMap((name) =>
    words[name].flatMap((word): [string, FieldName][] => [
      [word, name],
      [word.toLowerCase(), name],
    ]),
  ),
);

export function labelOf(name: FieldName): string {
  return words[name][0];
}

export interface EntryField {
  readonly name: FieldName;
  readonly at: number;
  /** The start of the value and the end of its last line, without the line end. */
  readonly valueAt: number;
  readonly end: number;
  /** The start of the next line. */
  readonly next: number;
}

interface Label {
  /** Undefined for a field Divisi does not know. */
  readonly name: FieldName | undefined;
  readonly isMarked: boolean;
  readonly valueAt: number;
}

const isBlank = (code: number): boolean => code === 32 || code === 9;
const isEmphasis = (code: number): boolean => code === 42 || code === 95;
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isBullet = (code: number): boolean => code === 45 || code === 42 || code === 43;
const colon = 58;
const longestLabel = 30;

/** `- **Status**: `, `* Status: `, `**Status:** `: with a bullet or emphasis, indented by at most three blanks. */
function labelAt(text: string, lineAt: number): Label | undefined {
  let at = lineAt;
  while (at < lineAt + 3 && text.charCodeAt(at) === 32) at += 1;
  const isItem = isBullet(text.charCodeAt(at)) && isBlank(text.charCodeAt(at + 1));
  if (isItem) at = blanksEnd(text, at + 1);
  const begin = emphasisEnd(text, at);
  const isMarked = begin > at;
  if (!isMarked && !isItem) return undefined;
  let end = begin;
  while (end < begin + longestLabel && (isLetter(text.charCodeAt(end)) || text.charCodeAt(end) === 32)) end += 1;
  const close = emphasisEnd(text, end);
  if (end === begin || text.charCodeAt(close) !== colon) return undefined;
  const word = text.slice(begin, end);
  const valueAt = blanksEnd(text, emphasisEnd(text, close + 1));
  return { name: names.get(word) ?? names.get(word.trim().toLowerCase()), isMarked, valueAt };
}

function emphasisEnd(text: string, at: number): number {
  if (!isEmphasis(text.charCodeAt(at))) return at;
  return text.charCodeAt(at + 1) === text.charCodeAt(at) ? at + 2 : at + 1;
}

function blanksEnd(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/**
 * The first field of each name, and all artifacts. Ignores code and comments.
 * `marks` are those of the whole text; those before `firstMark` are skipped.
 */
export function entryFields(
  text: string,
  from: number,
  to: number,
  marks: readonly OutlineMark[],
  firstMark: number,
): EntryField[] {
  const fields: EntryField[] = [];
  let isAtTop = true;
  let mark = firstMark;
  for (let at = from; at < to;) {
    while (marks[mark] !== undefined && marks[mark]!.at < at) mark += 1;
    const opaque = marks[mark];
    if (opaque?.at === at && opaque.level === opaqueLevel) {
      at = opaque.end;
      continue;
    }
    const field = fieldAt(text, at, to, isAtTop);
    if (field === undefined) {
      const next = lineEnd(text, at);
      isAtTop &&= /^\s*(?:[-*+]\s|$)/.test(text.slice(at, Math.min(at + 8, next)));
      at = next;
    } else {
      at = field.next;
      if (isArtifact(field.name) || fields.every(({ name }) => name !== field.name)) fields.push(field);
    }
  }
  return fields;
}

/** A line without emphasis is a field only at the top of the entry: further below, it is prose. */
function fieldAt(text: string, at: number, to: number, isAtTop: boolean): EntryField | undefined {
  const label = labelAt(text, at);
  if (label?.name === undefined || !(label.isMarked || isAtTop)) return undefined;
  const { name, valueAt } = label;
  let next = lineEnd(text, at);
  if (name === 'description' || isArtifact(name))
    while (next < to && goesOn(text, next, name)) next = lineEnd(text, next);
  return { name, at, valueAt, end: contentEnd(text, at, next), next };
}

/** A list of links may be below its label; a description may have several lines. */
function goesOn(text: string, at: number, name: FieldName): boolean {
  const line = text.slice(at, Math.min(lineEnd(text, at), at + 60));
  if (line.trim() === '' || labelAt(text, at) !== undefined || /^ {0,3}(?:`{3}|~{3}|<!--)/.test(line)) return false;
  return name === 'description' ? !/^ {0,3}(?:[-*+][ \t]|\d{1,9}[.)][ \t]|[>|])/.test(line) : /^(?: {2}|\t)/.test(line);
}

function contentEnd(text: string, at: number, next: number): number {
  let end = next;
  if (end > at && text[end - 1] === '\n') end -= 1;
  if (end > at && text[end - 1] === '\r') end -= 1;
  return end;
}
