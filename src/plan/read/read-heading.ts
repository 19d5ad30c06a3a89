/** Read heading: opens the section of a heading. A heading inside a log, a review or the text of a task opens none. */
import { readCheckpoint } from './checkpoints.ts';
import { type HeadingKind, headingKind } from './heading-kind.ts';
import { bare, labelIn } from '../markdown/inline.ts';
import { marksIn } from './mark-place.ts';
import type { MarkdownLine } from '../markdown/markdown-lines.ts';
import { mention, openAudit, openSection, type PlanReader, type SectionKind, sourceOf } from './plan-reader.ts';
import { addField, stateSpan, type WaveDraft } from './draft.ts';
import { detailsOf } from './task-details.ts';

/** Sections that keep the text below their deeper headings. */
const covering: ReadonlySet<SectionKind> = new Set<SectionKind>([
  'settings', 'configuration', 'checkpoints', 'log', 'files', 'deferred', 'review', 'notes', 'task',
]); // prettier-ignore

const trailingStatus = /(?:\[[^()[\]]{1,20}\]|\((?:pending|in[ _-]?progress|completed?|done|failed)\))$/i;

/** False for a heading that is part of the current section. */
export function readHeading(reader: PlanReader, line: MarkdownLine & { kind: 'heading' }): boolean {
  const { plan, section, text } = reader;
  const words = sourceOf(reader, line.text);
  // The heading of a wave may end in a status.
  const trailing = trailingStatus.exec(words.slice(-24))?.[0] ?? '';
  const marks = trailing === '' ? [] : marksIn(text, { at: line.text.end - trailing.length, end: line.text.end });
  const found = headingKind(marks.length === 0 ? words : words.slice(0, words.length - trailing.length).trimEnd());
  if (plan.title === undefined && line.level === 1 && found.kind !== 'wave') {
    plan.title = bare(words.replace(/^(?:swarm )?plan\s{0,4}[:–—-]\s{0,4}/i, ''));
    openSection(reader, 'top', line.level);
    return true;
  }
  const isAudit = found.kind === 'review' && /^audits?\b/i.test(words);
  const isOwn =
    line.level === 2 && (found.kind === 'log' || found.kind === 'files' || found.kind === 'deferred' || isAudit);
  // A wave nested under settings is still a wave.
  const isWave = found.kind === 'wave' && (section.kind === 'settings' || section.kind === 'configuration');
  if (covering.has(section.kind) && line.level > section.level && !isOwn && !isWave) return false;
  const { wave } = reader;
  const isInside = wave !== undefined && line.level > wave.level;
  if (found.kind === 'wave') {
    if (isInside && found.number === wave.number && /^(?:review|audit)/i.test(found.title)) {
      openSection(reader, 'review', line.level);
      openAudit(reader, line.end);
    } else openWave(reader, found, line, marks);
    return true;
  }
  if (!isInside && found.kind !== 'task') reader.wave = undefined;
  if (found.kind === 'task' && line.level > 1) {
    openSection(reader, 'task', line.level);
    const { id, title } = found;
    const draft = mention(reader, { id, line: line.number, source: 'section' });
    draft.marks.push(...marks.filter(({ form }) => form !== 'empty'));
    addField(draft, 'title', title, line.number);
    reader.details = detailsOf(draft, 0, 0);
    return true;
  }
  openNamed(reader, found, line, isInside ? wave : undefined);
  if (found.kind === 'review' && (isInside || isAudit)) openAudit(reader, line.end);
  return true;
}

function openWave(
  reader: PlanReader,
  { number, title }: HeadingKind & { kind: 'wave' },
  line: MarkdownLine & { kind: 'heading' },
  marks: WaveDraft['marks'],
): void {
  openSection(reader, 'wave', line.level);
  const known = reader.plan.waves.get(number);
  if (known && known.title !== title && known.title !== '' && title !== '') {
    reader.blame('duplicate-wave', line.number, `wave ${number} already begins in line ${known.line}`);
  }
  reader.wave = known ?? {
    number,
    title,
    line: line.number,
    level: line.level,
    marks: [],
    mentions: [],
    isRefused: false,
  };
  reader.wave.marks.push(...marks);
  reader.plan.waves.set(number, reader.wave);
}

function openNamed(
  reader: PlanReader,
  { kind }: HeadingKind,
  line: MarkdownLine & { kind: 'heading' },
  wave?: WaveDraft,
): void {
  const { plan, text } = reader;
  const label = labelIn(text, line.text);
  const isState = wave === undefined && (label?.name === 'status' || label?.name === 'state');
  // A person's notes in a wave are not one of our lists.
  const isProse =
    (kind === 'log' && plan.log) ||
    (kind === 'files' && plan.files) ||
    (kind === 'deferred' && (plan.deferred || (wave && line.level > 2))) ||
    (kind === 'goal' && plan.goal.length > 0);
  openSection(
    reader,
    isProse ? 'notes' : isState ? 'state' : kind === 'wave' || kind === 'task' ? 'other' : kind,
    line.level,
  );
  if (isState && label) plan.state ??= stateSpan(text, label.value);
  if (kind === 'log' && !plan.log) plan.log = { at: line.end, after: 'heading' };
  if (kind === 'files' && !plan.files) plan.files = { at: line.end, after: 'heading', paths: new Set() };
  if (kind === 'deferred' && !isProse) plan.deferred = { at: line.end, after: 'heading', items: [] };
  if (kind !== 'checkpoints') return;
  const named = readCheckpoint(sourceOf(reader, line.text), line.number);
  const own = named ?? (wave ? { afterWave: wave.number, why: '', line: line.number, marks: [] } : undefined);
  if (!own) return;
  reader.checkpoint = own;
  plan.checkpoints.push(own);
}
