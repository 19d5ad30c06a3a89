/** Draft: the parts of a plan collected before they are assembled; several places may mention the same task. */
import type { MarkPlace } from './mark-place.ts';
import type { PlanReviewer, Tier } from '../plan.ts';
import type { Span } from '../markdown/span.ts';

export type DraftField =
  | 'title'
  | 'description'
  | 'status'
  | 'deps'
  | 'scope'
  | 'accept'
  | 'tier'
  | 'agent'
  | 'review'
  | 'budget'
  | 'report';

export type Column = DraftField | 'id';

export interface Columns {
  readonly order: readonly (Column | undefined)[];
  /** The table has a column of ids: it lists tasks wherever it is. */
  readonly hasId: boolean;
  /** The table declares tasks; otherwise it only shows their progress. */
  readonly declares: boolean;
}

export interface FieldText {
  /** Several spans for a field that is a list of items. */
  readonly texts: string[];
  readonly line: number;
}

/** The place of a report path, present or not; `arrow`: the path needs an arrow before it. */
export interface ReportPlace extends Span {
  readonly arrow: boolean;
  readonly cell: boolean;
  /** Only paths without blanks that end in `.md` can be distinguished from the title before them. */
  readonly titled: boolean;
  /** The status cell of a table without a column for reports; used if the task has no other place. */
  readonly isSpare?: true;
}

/** The row of a table, read again when the task is assembled: 100,000 rows need not be kept as text. */
export interface RowPlace {
  readonly cells: readonly Span[];
  readonly columns: Columns;
}

export interface TaskDraft {
  readonly id: string;
  readonly line: number;
  readonly source: 'row' | 'item' | 'section';
  /** Counts headings: the same id twice in one list is a mistake, in two lists a second mention. */
  readonly part: number;
  readonly row?: RowPlace;
  readonly fields: Partial<Record<DraftField, FieldText>>;
  readonly marks: MarkPlace[];
  readonly reports: ReportPlace[];
  /** The lines of its own text. */
  readonly body: string[];
}

export interface WaveDraft {
  readonly number: number;
  readonly title: string;
  readonly line: number;
  readonly level: number;
  readonly marks: MarkPlace[];
  review?: { readonly tier?: Tier; readonly reviewer?: PlanReviewer; readonly line: number };
  readonly mentions: TaskDraft[];
  /** Invalid rows were found and reported. */
  isRefused: boolean;
}

const fieldNames: ReadonlyMap<string, DraftField> = new Map(
  (
    [
      ['title', 'task|title|name'],
      ['description', 'description|details|what|instructions'],
      ['status', 'status|mark|state'],
      ['deps', 'deps|dependencies|depends on|depends|after|blocked by|dependency'],
      ['scope', 'scope|files|paths'],
      ['accept', 'accept|acceptance|acceptance criteria|criteria|done when'],
      ['tier', 'tier|model|agent tier'],
      ['agent', 'agent|role'],
      ['review', 'review|task review'],
      ['budget', 'budget|budgets'],
      ['report', 'report'],
    ] as const
  ).flatMap(([field, names]) => names.split('|').map((name) => [name, field] as const)),
);

export function taskField(name: string): DraftField | undefined {
  return fieldNames.get(name);
}

const lists: ReadonlySet<DraftField> = new Set(['accept', 'deps', 'scope']);

/** A list may be spread over several lines of its name; of any other field, the first line counts. */
export function addField(draft: TaskDraft, field: DraftField, text: string, line: number): FieldText {
  const value: FieldText = { texts: text === '' ? [] : [text], line };
  const before = draft.fields[field];
  if (before !== undefined && before.texts.length > 0 && lists.has(field)) {
    before.texts.push(...value.texts);
    return before;
  }
  if (before === undefined || before.texts.length === 0) draft.fields[field] = value;
  return value;
}

const word =
  /^(?:planning|planned|draft|ready|approved|pending|active|running|in[ _-]?progress|paused|completed?|done|failed|cancelled|canceled)(?![A-Za-z])/i;

/** The state word if it is a usual one, otherwise the whole text. */
export function stateSpan(text: string, { at, end }: Span): Span {
  const lead = /^[`*_"']{0,3}/.exec(text.slice(at, end))?.[0].length ?? 0;
  const found = word.exec(text.slice(at + lead, Math.min(end, at + lead + 20)))?.[0];
  return found === undefined ? { at, end } : { at: at + lead, end: at + lead + found.length };
}
