/** What is gathered from a plan before its parts are put together: the same task may be spoken of in several places. */
import type { MarkPlace } from './mark-place.ts';
import type { Tier } from '../plan.ts';
import type { Span } from '../markdown/span.ts';

export type TaskField =
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

export type Column = TaskField | 'id';

export interface Columns {
  readonly order: readonly (Column | undefined)[];
  /** There is a column of ids, so the table is one of tasks wherever it stands. */
  readonly hasId: boolean;
  /** It says what the tasks are; otherwise it only tells how they are doing. */
  readonly declares: boolean;
}

export interface FieldText {
  /** Several where the field is a list of items. */
  readonly texts: string[];
  readonly line: number;
}

/** Where the path of a report stands or would stand; `arrow`: it needs the arrow before it. */
export interface ReportPlace extends Span {
  readonly arrow: boolean;
  readonly cell: boolean;
  /** Only paths without blanks that end in `.md` are told from the title before them. */
  readonly titled: boolean;
}

/** The row of a table, to be read again when the task is put together: 100,000 of them need not be kept as texts. */
export interface RowPlace {
  readonly cells: readonly Span[];
  readonly columns: Columns;
}

export interface TaskDraft {
  readonly id: string;
  readonly line: number;
  readonly source: 'row' | 'item' | 'section';
  /** Counts headings: two items with the same id in one list are a mistake, in two lists a second mention. */
  readonly part: number;
  readonly row?: RowPlace;
  readonly fields: Partial<Record<TaskField, FieldText>>;
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
  review?: { readonly tier: Tier; readonly line: number };
  readonly mentions: TaskDraft[];
  /** Rows were found that cannot be tasks, and blamed for it. */
  isRefused: boolean;
}

const fieldNames: ReadonlyMap<string, TaskField> = new Map(
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

export function taskField(name: string): TaskField | undefined {
  return fieldNames.get(name);
}

/** The first place that says something about a field counts. */
export function addField(draft: TaskDraft, field: TaskField, text: string, line: number): FieldText {
  const value: FieldText = { texts: text === '' ? [] : [text], line };
  const before = draft.fields[field];
  if (before === undefined || before.texts.length === 0) draft.fields[field] = value;
  return value;
}

const word =
  /^(?:planning|planned|draft|ready|approved|pending|active|running|in[ _-]?progress|paused|completed?|done|failed|cancelled|canceled)(?![A-Za-z])/i;

/** The word itself where it is one of the usual ones, otherwise everything that is said. */
export function stateSpan(text: string, { at, end }: Span): Span {
  const lead = /^[`*_"']{0,3}/.exec(text.slice(at, end))?.[0].length ?? 0;
  const found = word.exec(text.slice(at + lead, Math.min(end, at + lead + 20)))?.[0];
  return found === undefined ? { at, end } : { at: at + lead, end: at + lead + found.length };
}
