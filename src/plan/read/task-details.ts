/** Task details: reads fields and text below the head of a task, in its section or under its checklist item. */
import { addField, type FieldText, type TaskDraft, taskField } from './draft.ts';
import { labelIn } from '../markdown/inline.ts';
import { marksIn } from './mark-place.ts';
import type { MarkdownLine } from '../markdown/markdown-lines.ts';
import type { Blame } from '../plan-fault.ts';
import type { Span } from '../markdown/span.ts';
import { badMark } from './task-table.ts';

export interface Details {
  readonly draft: TaskDraft;
  /** The indentation of the task's item; its details are indented further. */
  readonly column: number;
  /** The part of the indentation that comes from the item. */
  readonly indent: number;
  /** A field whose value continues on the lines below, if they are indented further. */
  open?: { readonly value: FieldText; readonly indent: number } | undefined;
  afterBlank: boolean;
}

export function detailsOf(draft: TaskDraft, column: number, indent: number): Details {
  return { draft, column, indent, afterBlank: false };
}

/** The field of a line; undefined for text. */
function fieldLine(details: Details, text: string, span: Span, line: number, blame: Blame): FieldText | undefined {
  const label = labelIn(text, span);
  const field = label && taskField(label.name);
  if (!label || field === undefined || field === 'title') return undefined;
  const { draft } = details;
  const words = text.slice(label.value.at, label.value.end);
  if (field === 'status') {
    const places = words === '' ? [] : marksIn(text, label.value);
    if (words !== '' && places.length === 0) blame('bad-mark', line, badMark(words));
    draft.marks.push(...places);
  } else if (field === 'report') {
    if (words !== '') draft.reports.push({ ...label.value, arrow: false, cell: false, titled: false });
  } else return addField(draft, field, words, line);
  return { texts: [], line };
}

function withoutIndent(line: string, indent: number): string {
  let cut = 0;
  while (cut < indent && (line[cut] === ' ' || line[cut] === '\t')) cut += 1;
  return line.slice(cut).trimEnd();
}

export function addDetail(details: Details, text: string, line: MarkdownLine, blame: Blame): void {
  const { open, draft } = details;
  const afterBlank = details.afterBlank;
  details.afterBlank = line.kind === 'blank';
  if (line.kind === 'item' || line.kind === 'text') {
    const words = text.slice(line.text.at, line.text.end);
    if (open && line.indent > open.indent && line.kind === 'item') {
      open.value.texts.push(words);
      return;
    }
    const value = fieldLine(details, text, line.text, line.number, blame);
    if (value) {
      const isHeading = line.kind === 'text' && value.texts.length === 0;
      details.open = { value, indent: isHeading ? -1 : line.indent };
      return;
    }
    if (open && line.kind === 'text' && !afterBlank && line.indent > open.indent) {
      const last = open.value.texts.pop();
      open.value.texts.push(last === undefined ? words : `${last} ${words}`);
      return;
    }
  }
  if (line.kind !== 'blank') details.open = undefined;
  draft.body.push(withoutIndent(text.slice(line.at, line.end), details.indent));
}
