/** Task table: reads the rows of a table of tasks. Columns may be in any order, have other names, or be missing. */
import { type ItemHead, itemHead } from './checklist-item.ts';
import { idPattern } from '../values/dependencies.ts';
import {
  type Column,
  type Columns,
  type ReportPlace,
  type RowPlace,
  type TaskDraft,
  type DraftField,
  taskField,
} from './draft.ts';
import { plain, normalWords } from '../markdown/inline.ts';
import { marksIn } from './mark-place.ts';
import type { LinePlace } from '../markdown/markdown-pieces.ts';
import { type Blame, quote } from '../plan-fault.ts';
import type { Span } from '../markdown/span.ts';

const idNames = new Set(['id', '#', 'task id', 'no', 'no.', 'nr', 'key']);

export function readColumns(text: string, cells: readonly Span[]): Columns | undefined {
  const seen = new Set<Column>();
  const order = cells.map(({ at, end }): Column | undefined => {
    const name = normalWords(text.slice(at, Math.min(end, at + 60)));
    const column = idNames.has(name) ? 'id' : taskField(name);
    if (column === undefined || seen.has(column)) return undefined;
    seen.add(column);
    return column;
  });
  const hasId = seen.has('id');
  const declares = seen.has('title') || seen.has('description');
  return (hasId && seen.size > 1) || seen.has('title') ? { order, hasId, declares } : undefined;
}

/** Without a column of ids, the ids precede the titles. */
function rowHead(text: string, columns: Columns, cells: readonly Span[]): ItemHead | undefined {
  const cell = columns.hasId ? undefined : cells[columns.order.indexOf('title')];
  return cell && itemHead(text, cell);
}

function rowId(text: string, columns: Columns, cells: readonly Span[]): string {
  if (!columns.hasId) return rowHead(text, columns, cells)?.id ?? '';
  const cell = cells[columns.order.indexOf('id')];
  return cell ? plain(text.slice(cell.at, cell.end)).replace(/^(?:task)?[ #]+/i, '') : '';
}

/** Undefined for a row that is not a task; `blame` reports why, unless the row is empty. */
export function readRow(
  text: string,
  columns: Columns,
  line: LinePlace & { readonly cells: readonly Span[] },
  part: number,
  blame: Blame,
): TaskDraft | undefined {
  const { cells, number } = line;
  if (cells.every((cell) => cell.at === cell.end)) return undefined;
  const id = rowId(text, columns, cells);
  if (id === '') {
    blame('no-id', number, 'the task has no id');
    return undefined;
  }
  if (!idPattern.test(id)) {
    blame(
      'bad-id',
      number,
      `${quote(id)} is not a valid id; expected one word of at most 64 letters, digits, dots and dashes`,
    );
    return undefined;
  }
  const status = cells[columns.order.indexOf('status')];
  const marks = status ? marksIn(text, status) : [];
  if (status && marks.length === 0) blame('bad-mark', number, badMark(text.slice(status.at, status.end)));
  const report = cells[columns.order.indexOf('report')];
  const reports = report ? [{ ...report, arrow: false, cell: true, titled: false }] : behindStatus(text, status);
  const source = columns.declares ? 'row' : 'item';
  return { id, line: number, source, part, row: { cells, columns }, fields: {}, marks, reports, body: [] };
}

/** `[x] → path`: without a column for reports, the path is behind the mark. */
function behindStatus(text: string, status: Span | undefined): ReportPlace[] {
  if (status === undefined || status.at === status.end) return [];
  const shared = { cell: true, titled: false, isSpare: true } as const;
  const arrow = text.slice(status.at, status.end).lastIndexOf('→ ');
  if (arrow === -1) return [{ ...shared, at: status.end, end: status.end, arrow: true }];
  return [{ ...shared, at: status.at + arrow + 2, end: status.end, arrow: false }];
}

/** The content of each cell that is not empty. */
export function rowFields(text: string, { cells, columns }: RowPlace): Partial<Record<DraftField, string>> {
  const head = rowHead(text, columns, cells);
  const fields: Partial<Record<DraftField, string>> = {};
  for (const [index, column] of columns.order.entries()) {
    const span = cells[index];
    if (column === undefined || column === 'id' || span === undefined || span.at === span.end) continue;
    fields[column] = text.slice(span.at, span.end).replaceAll('\\|', '|');
  }
  if (!head) return fields;
  return { ...fields, title: head.title, ...(head.description === '' ? {} : { description: head.description }) };
}

export function badMark(words: string): string {
  return `${quote(words)} is not a mark; expected [ ], [~], [x], [!], [^] or their words`;
}
