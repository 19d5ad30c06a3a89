/** Read tasks: reads table rows and list items in a wave, or anywhere in a plan without waves. */
import { itemHead } from './checklist-item.ts';
import { boxPlace } from './checkpoints.ts';
import { addField } from './draft.ts';
import { labelIn } from '../markdown/inline.ts';
import type { MarkdownLine } from '../markdown/markdown-lines.ts';
import type { Blame } from '../plan-fault.ts';
import { mention, type PlanReader, sourceOf } from './plan-reader.ts';
import { readLabel } from './read-label.ts';
import { addDetail, type Details, detailsOf } from './task-details.ts';
import { badMark, readColumns, readRow } from './task-table.ts';

export function readTasks(reader: PlanReader, line: MarkdownLine): void {
  const { text, section, details } = reader;
  const strict = section.kind === 'wave' || section.kind === 'tasks';
  if (line.kind === 'header') {
    reader.details = undefined;
    const columns = readColumns(text, line.cells);
    reader.columns = columns && (columns.hasId || strict) ? columns : undefined;
  } else if (line.kind === 'row') {
    if (!reader.columns) return;
    const wave = reader.wave ?? reader.plan.loose;
    const blame: Blame = (code, number, message) => {
      if (!strict) return;
      wave.isRefused = true;
      reader.blame(code, number, message);
    };
    const draft = readRow(text, reader.columns, line, reader.part, blame);
    if (draft) wave.mentions.push(draft);
  } else if (line.kind === 'item' && (!details || line.indent <= details.column)) onItem(reader, line, strict);
  else if (details && isBelow(reader, details, line)) addDetail(details, text, line, reader.blame);
  else {
    reader.details = undefined;
    if (reader.wave) readLabel(reader, line);
  }
}

/** Text without indentation continues only the paragraph before it. */
function isBelow(reader: PlanReader, details: Details, line: MarkdownLine): boolean {
  if (line.kind === 'text') {
    return line.indent > details.column || (!details.afterBlank && labelIn(reader.text, line.text) === undefined);
  }
  return line.kind !== 'opaque' || /[ \t]/.test(reader.text.charAt(line.at));
}

function onItem(reader: PlanReader, line: MarkdownLine & { kind: 'item' }, strict: boolean): void {
  const { text } = reader;
  reader.details = undefined;
  const head = itemHead(text, line.text);
  if (!head) {
    if (reader.wave && readLabel(reader, line)) return;
    const words = sourceOf(reader, line.text);
    const isWork = line.box !== undefined && !/^\W{0,4}(?:wave\b|review|audit|checkpoint|user\b)/i.test(words);
    // Decided after the whole wave: the item may be a task without an id.
    if (isWork && strict) mention(reader, { id: '', line: line.number, source: 'item' });
    return;
  }
  const draft = mention(reader, { id: head.id, line: line.number, source: 'item' });
  const place = line.box ? boxPlace(text, line.box) : undefined;
  if (line.box && !place) reader.blame('bad-mark', line.number, badMark(`[${sourceOf(reader, line.box)}]`));
  if (place) draft.marks.push(place);
  draft.reports.push(head.report);
  if (head.title !== '') addField(draft, 'title', head.title, line.number);
  if (head.description !== '') addField(draft, 'description', head.description, line.number);
  reader.details = detailsOf(draft, line.indent, line.indent + 2);
}
