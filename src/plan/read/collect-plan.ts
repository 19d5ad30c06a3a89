/**
 * Collect plan: makes one pass over the lines of a plan, and collects what each section says.
 *
 * Assembles nothing: a task may be ticked before the table that declares it.
 */
import { badCheckpoint, boxPlace, readCheckpoint } from './checkpoints.ts';
import { bare, labelIn, plain, saysNothing } from '../markdown/inline.ts';
import { type Closing, type MarkdownLine, markdownLines } from '../markdown/markdown-lines.ts';
import { longestLine } from '../markdown/markdown-pieces.ts';
import type { GrowingPlace } from '../plan-document.ts';
import type { Blame } from '../plan-fault.ts';
import { type PlanDraft, planReader, type PlanReader, sourceOf } from './plan-reader.ts';
import { readHeading } from './read-heading.ts';
import { readLabel } from './read-label.ts';
import { readTasks } from './read-tasks.ts';
import { stateSpan } from './draft.ts';
import { addDetail } from './task-details.ts';

export function collectPlan(text: string, blame: Blame): PlanDraft {
  const reader = planReader(text, blame);
  const lines = markdownLines(text);
  for (;;) {
    const step = lines.next();
    if (step.done === true) {
      close(reader, step.value);
      return reader.plan;
    }
    const line = step.value;
    if (line.kind === 'too-long') {
      blame('line-too-long', line.number, `the line has more than ${longestLine} characters`);
    }
    if (line.kind !== 'heading' || !readHeading(reader, line)) onLine(reader, line);
  }
}

/** Code that is open at the end counts as closed: an edit that closes it changes nothing. */
function close({ plan, section, details, wave }: PlanReader, closing: Closing): void {
  plan.closing = closing;
  if (closing === undefined) return;
  if (section.kind === 'task') details?.draft.body.push(closing);
  else if (section.kind === 'goal') plan.goal.push(closing);
  else if (section.kind === 'review') {
    const place = plan.audits.get(wave?.number ?? 0);
    if (place) plan.audits.set(wave?.number ?? 0, { ...place, isOpen: true });
  } else if (section.kind === 'log' && plan.log) plan.log = { ...plan.log, isOpen: true };
  else if (section.kind === 'files' && plan.files) plan.files = { ...plan.files, isOpen: true };
  else if (section.kind === 'deferred' && plan.deferred) plan.deferred = { ...plan.deferred, isOpen: true };
}

function onLine(reader: PlanReader, line: MarkdownLine): void {
  const { plan, section, text } = reader;
  switch (section.kind) {
    case 'log':
      if (plan.log) plan.log = grown(plan.log, line);
      return;
    case 'files':
      if (plan.files) plan.files = { ...grown(plan.files, line), paths: plan.files.paths };
      addPath(reader, line);
      return;
    case 'deferred':
      if (plan.deferred) plan.deferred = { ...grown(plan.deferred, line), items: plan.deferred.items };
      if (line.kind === 'item') {
        const box = line.box && boxPlace(text, line.box);
        plan.deferred?.items.push({ text: line.text, ...(box && { box }) });
      }
      return;
    case 'settings':
    case 'configuration':
      onSetting(reader, line);
      return;
    case 'checkpoints':
      onCheckpoint(reader, line);
      return;
    case 'task':
      if (reader.details) addDetail(reader.details, text, line, reader.blame);
      return;
    case 'goal':
      // The mark of a task must not become part of the goal.
      if (line.kind === 'header' || line.kind === 'row' || (line.kind === 'item' && line.box)) readTasks(reader, line);
      else if (!readLabel(reader, line)) plan.goal.push(text.slice(line.at, line.end).trimEnd());
      return;
    case 'state':
      if (!readLabel(reader, line) && line.kind === 'text') plan.state ??= stateSpan(text, line.text);
      return;
    case 'review': {
      const number = reader.wave?.number ?? 0;
      const place = plan.audits.get(number);
      if (place) plan.audits.set(number, { ...grown(place, line), from: place.from });
      return;
    }
    case 'notes':
      return;
    case 'top':
      if (readLabel(reader, line)) return;
      if (line.kind === 'text' && plan.opening.at(-1) !== '') plan.opening.push(sourceOf(reader, line.text));
      else if (plan.opening.length > 0 && plan.opening.at(-1) !== '') plan.opening.push('');
      readTasks(reader, line);
      return;
    case 'wave':
    case 'tasks':
    case 'other':
      readTasks(reader, line);
  }
}

function grown(place: GrowingPlace, line: MarkdownLine): GrowingPlace {
  if (line.kind === 'blank') return place;
  return { at: line.end, after: line.kind === 'item' || line.kind === 'heading' ? line.kind : 'other' };
}

function addPath(reader: PlanReader, line: MarkdownLine): void {
  const span = line.kind === 'item' ? line.text : line.kind === 'row' ? line.cells[0] : undefined;
  if (!span) return;
  const words = sourceOf(reader, span);
  const paths = reader.plan.files?.paths;
  // A path may be alone, in code, or followed by a remark.
  paths?.add(plain(words));
  paths?.add(/^`([^`]+)`/.exec(words)?.[1] ?? plain(words.split(/ [–—(-]/, 1)[0] ?? ''));
}

function onSetting(reader: PlanReader, line: MarkdownLine): void {
  const strict = reader.section.kind === 'settings';
  if (line.kind === 'item' || line.kind === 'text') {
    const label = labelIn(reader.text, line.text);
    if (label) reader.addSetting(label.name, sourceOf(reader, label.value), line.number, strict);
    else if (strict && line.kind === 'item')
      reader.blame('bad-setting', line.number, 'expected a setting of the form "- Key: value"');
  } else if (line.kind === 'row' || line.kind === 'header') {
    const [name = '', value = ''] = line.cells.map((cell) => plain(sourceOf(reader, cell)));
    if (line.kind === 'row' && name !== '') reader.addSetting(name, value, line.number, strict);
  }
}

function onCheckpoint(reader: PlanReader, line: MarkdownLine): void {
  if (line.kind !== 'item' && line.kind !== 'text' && line.kind !== 'row' && line.kind !== 'heading') return;
  const words =
    line.kind === 'row' ? line.cells.map((cell) => sourceOf(reader, cell)).join(' ') : sourceOf(reader, line.text);
  const found = readCheckpoint(words, line.number);
  if (found) {
    reader.plan.checkpoints.push(found);
    reader.checkpointColumn = line.kind === 'item' ? line.indent : -1;
  }
  const own = found ?? reader.checkpoint;
  if (!own) {
    if (isGateLost(reader, line, words)) reader.blame('bad-checkpoint', line.number, badCheckpoint(words));
    return;
  }
  if (!found && own.why === '') own.why = bare(words);
  const place = line.kind === 'item' && line.box ? boxPlace(reader.text, line.box) : undefined;
  if (place) own.marks.push(place);
}

/** Prose around a checkpoint, and text below one, is not a checkpoint. */
function isGateLost({ checkpointColumn = Infinity }: PlanReader, line: MarkdownLine, words: string): boolean {
  if (line.kind === 'row') return !saysNothing(words);
  if (line.kind === 'item') return line.indent <= checkpointColumn && !saysNothing(words);
  return checkpointColumn === Infinity && /^\W{0,4}(?:after|before)\b/i.test(words);
}
