/** The lines of an entry of TODO.md that say something Tutti knows: `- **Status**: [PLANNED]`. */
import { lineEnd, type Mark, opaqueLevel } from './outline.ts';

/** In the order in which they are written. */
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

/** Such a field has links, and there may be several of a kind. */
export function isArtifact(name: FieldName): name is (typeof artifactNames)[number] {
  return (artifactNames as readonly FieldName[]).includes(name);
}

export function isTime(name: FieldName): name is 'created' | 'updated' | 'completed' {
  return name === 'created' || name === 'updated' || name === 'completed';
}

/** How each is written; the words of people for the same come after it. */
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
  fieldNames.flatMap((name) => words[name].map((word): [string, FieldName] => [word.toLowerCase(), name])),
);

export function labelOf(name: FieldName): string {
  return words[name][0];
}

export interface Field {
  readonly name: FieldName;
  readonly at: number;
  /** Where the value begins, and where its last line ends, without what ends the line. */
  readonly valueAt: number;
  readonly end: number;
  /** Where the next line begins. */
  readonly next: number;
}

const form =
  / {0,3}([-*+][ \t]+)?(\*\*|__|[*_])?([A-Za-z][A-Za-z ]{1,28})(?:\*\*|__|[*_])?:(?:\*\*|__|[*_](?![*_]))?[ \t]*/y;

function formAt(text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(text);
}

/** The first of each name, and all artifacts; what is in code or a comment is none. `marks` are those of the whole text, from the first that may be in it. */
export function fieldsOf(text: string, from: number, to: number, marks: readonly Mark[], firstMark: number): Field[] {
  const fields: Field[] = [];
  const seen = new Set<FieldName>();
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
      if (seen.has(field.name) && !isArtifact(field.name)) continue;
      seen.add(field.name);
      fields.push(field);
    }
  }
  return fields;
}

/** A line without emphasis is a field only among those at the top: further below, it is what somebody wrote about the task. */
function fieldAt(text: string, at: number, to: number, isAtTop: boolean): Field | undefined {
  const found = formAt(text, at);
  const name = names.get(found?.[3]?.trim().toLowerCase() ?? '');
  if (found === null || name === undefined) return undefined;
  if (found[2] === undefined && (found[1] === undefined || !isAtTop)) return undefined;
  let next = lineEnd(text, at);
  while (next < to && goesOn(text, next, name)) next = lineEnd(text, next);
  return { name, at, valueAt: at + found[0].length, end: contentEnd(text, at, next), next };
}

/** A list of links may stand below its label, a description may have more lines. */
function goesOn(text: string, at: number, name: FieldName): boolean {
  const line = text.slice(at, Math.min(lineEnd(text, at), at + 60));
  if (line.trim() === '' || formAt(text, at) !== null || /^ {0,3}(?:`{3}|~{3}|<!--)/.test(line)) return false;
  if (name !== 'description' && !isArtifact(name)) return false;
  return name === 'description' ? !/^ {0,3}(?:[-*+][ \t]|\d{1,9}[.)][ \t]|[>|])/.test(line) : /^(?: {2}|\t)/.test(line);
}

function contentEnd(text: string, at: number, next: number): number {
  let end = next;
  if (end > at && text[end - 1] === '\n') end -= 1;
  if (end > at && text[end - 1] === '\r') end -= 1;
  return end;
}
