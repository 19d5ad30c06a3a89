/**
 * Edit plan: changes marks, logs and lists in the text of a plan. Every other byte stays the same.
 *
 * Log lines and paths are written as one line each that cannot become structure.
 */
import { flatten } from '../base/text.ts';
import { deferredChanges, type DeferredFinding } from './read/deferred.ts';
import type { ReportPlace } from './read/draft.ts';
import { markText, type MarkPlace, padded } from './read/mark-place.ts';
import type { GrowingPlace, PlanDocument } from './plan-document.ts';
import type { Mark } from './plan.ts';

export type WaveStatus = 'pending' | 'in_progress' | 'completed' | 'failed';

export interface PlanChanges {
  readonly marks: ReadonlyMap<string, Mark>;
  readonly reports: ReadonlyMap<string, string>;
  /** Lines to append. */
  readonly log: readonly string[];
  /** Paths to append unless they are already listed. */
  readonly files: readonly string[];
  /** Findings to append unless they are listed, and to tick when they are fixed. */
  readonly deferred?: readonly DeferredFinding[];
  /** Reviews to append unless they are listed. */
  readonly audits?: readonly AuditEntry[];
  readonly state?: string;
  readonly waves?: ReadonlyMap<number, WaveStatus>;
  /** The checkpoints to tick, by the wave before them. */
  readonly checkpoints?: ReadonlySet<number>;
}

/** The id at the start of an item identifies its review. */
interface AuditEntry {
  readonly id: string;
  /** The number of its wave in the plan; absent for a review of the whole. */
  readonly wave?: number;
  readonly text: string;
}

interface Edit {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

const waveMarks: Readonly<Record<WaveStatus, Mark>> = { pending: ' ', in_progress: '~', completed: 'x', failed: '!' };

export function editPlan(document: PlanDocument, changes: PlanChanges): string {
  const { text, places } = document;
  const edits: Edit[] = [];
  const mark = (all: readonly MarkPlace[] | undefined, to: Mark): void => {
    for (const place of all ?? []) {
      const words = markText(text, place, to);
      if (words !== undefined) edits.push({ at: place.at, end: place.end, text: words });
    }
  };
  for (const [id, to] of changes.marks) mark(places.tasks.get(id)?.marks, to);
  for (const [number, status] of changes.waves ?? []) mark(places.waves.get(number), waveMarks[status]);
  for (const number of changes.checkpoints ?? []) mark(places.checkpoints.get(number), 'x');
  for (const [id, path] of changes.reports) {
    const all = places.tasks.get(id)?.reports ?? [];
    const own = all.filter(({ isSpare }) => isSpare !== true);
    for (const place of own.length > 0 ? own : all) {
      const words = reportText(text, place, flatten(path).replaceAll('`', "'"));
      if (words !== undefined) edits.push({ at: place.at, end: place.end, text: words });
    }
  }
  if (changes.state !== undefined && places.state) edits.push({ ...places.state, text: flatten(changes.state) });
  const deferred = deferredChanges(document, changes.deferred ?? []);
  mark(deferred.fixed, 'x');
  edits.push(...growth(document, changes, deferred.added));
  return applied(text, edits);
}

function reportText(text: string, place: ReportPlace, path: string): string | undefined {
  if (path === '' || text.slice(place.at, place.end) === path) return undefined;
  if (place.titled && !/^[^\s`]+\.md$/.test(path)) return undefined;
  const cell = place.cell ? path.replaceAll('\\', '/').replaceAll('|', '&#124;') : path;
  if (place.arrow) return ` → ${cell}`;
  if (!place.cell) return path;
  return place.at === place.end ? padded(text, place.at, cell) : cell;
}

/** A text as one list item, whatever it contains. */
export function itemText(words: string): string {
  return flatten(words)
    .replace(/^(?=[-+*#>|=~[\]]|```)/, '\\')
    .replace(/^(\d{1,9})(?=[.)](?: |$))/, '$1\\')
    .replaceAll('<', '\\<');
}

/** Escapes a path that looks like code. */
const pathText = (path: string): string => (path.includes('`') ? itemText(path).replace(/^`/, '\\`') : `\`${path}\``);

const list = (lines: readonly string[], lineEnd: string): string => lines.map((line) => `- ${line}`).join(lineEnd);

function growth({ text, places }: PlanDocument, changes: PlanChanges, findings: readonly string[]): Edit[] {
  const { lineEnd, log, files, deferred } = places;
  let closing = places.closing === undefined ? '' : places.closing + lineEnd;
  const edits: Edit[] = [];
  const sections: string[] = [];
  const grow = (place: GrowingPlace | undefined, title: string, lines: readonly string[]): void => {
    if (lines.length === 0) return;
    if (place) {
      let gap = place.after === 'item' ? lineEnd : lineEnd + lineEnd;
      if (place.isOpen) {
        gap = lineEnd + closing + lineEnd;
        closing = '';
      }
      edits.push({ at: place.at, end: place.at, text: gap + list(lines, lineEnd) });
    } else sections.push(`## ${title}${lineEnd}${lineEnd}${list(lines, lineEnd)}${lineEnd}`);
  };
  for (const [number, lines] of auditLines(text, places, changes.audits ?? []))
    grow(places.audits.get(number), 'Audit', lines);
  grow(deferred, 'Deferred', findings);
  const paths = [...new Set(changes.files.map(flatten))].filter((path) => path !== '' && !files?.paths.has(path));
  grow(files, 'Files Modified', paths.map(pathText));
  const entries = changes.log.map(itemText).filter((entry) => entry !== '');
  grow(log, 'Execution Log', entries);
  if (sections.length > 0) {
    const isEnded = text === '' || /[\r\n]$/.test(text.slice(-1));
    const end = (isEnded ? '' : lineEnd) + closing;
    edits.push({ at: text.length, end: text.length, text: `${end}${lineEnd}${sections.join(lineEnd)}` });
  }
  return edits;
}

/** The reviews that are not listed yet, by section: that of their wave, or the one outside of waves. */
function auditLines(
  text: string,
  { audits }: PlanDocument['places'],
  entries: readonly AuditEntry[],
): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  const listed = new Map([...audits].map(([number, { from, at }]) => [number, text.slice(from, at)]));
  for (const { id, wave = 0, text: words } of entries) {
    const number = audits.has(wave) ? wave : 0;
    if (listed.get(number)?.includes(itemText(`${id}:`)) === true) continue;
    found.set(number, [...(found.get(number) ?? []), itemText(`${id}: ${words}`)]);
  }
  return found;
}

/** Applies all changes in one pass. Of two changes to the same place, the first wins. */
function applied(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { at, end, text: words } of edits.toSorted((one, other) => one.at - other.at)) {
    if (at < from) continue;
    pieces.push(text.slice(from, at), words);
    from = end;
  }
  return pieces.join('') + text.slice(from);
}
