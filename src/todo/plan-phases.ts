/** Plan phases: reads the phases of an implementation plan and sets their marks. Every other byte stays. */
import { lineEnd, type OutlineMark, opaqueLevel, type Outline, outlineOf, ruleLevel } from './outline.ts';
import { readTaskStatus } from './task-status.ts';

export interface Phase {
  readonly number: number;
  readonly title: string;
  /** Its section, with the heading. */
  readonly text: string;
  readonly isDone: boolean;
}

export type PhaseMark = 'NOT STARTED' | 'IN PROGRESS' | 'COMPLETED' | 'PARTIAL';

interface PhasePlace {
  readonly number: number;
  readonly title: string;
  readonly at: number;
  readonly end: number;
  readonly isDone: boolean;
  /** `[COMPLETED]` or the place for it after the title, or the content of a box. */
  readonly mark: { readonly at: number; readonly end: number };
  readonly isBox: boolean;
}

const form =
  /^(?:\*\*|__)?phase[ \t]+(\d{1,6})(?!\d|\.\d|[ \t]?[-–—][ \t]?\d)(?:\*\*|__)?[ \t]*(?:[:.)–—-][ \t]*)?(?:\*\*|__)?(.*)$/isu;

/** The first phase of a number. */
export function readPhases(text: string): readonly Phase[] {
  return placesOf(text).map(({ number, title, isDone, at, end }) => ({
    number,
    title,
    isDone,
    text: text.slice(at, end),
  }));
}

/** All phases without marks and ticks: equal for the same work, however much of it is done. */
export function phaseWords(text: string): string {
  return placesOf(text)
    .map(({ number, title, at, end, mark }) => {
      const words = text.slice(at, mark.at).trimEnd() + text.slice(mark.end, end);
      return `${number} ${title}\n${words.replaceAll(/^([ \t]{0,20}[-*+][ \t]{1,4}\[)[ xX~]\]/gm, '$1]').trimEnd()}`;
    })
    .join('\n');
}

/** Numbers used by more than one phase, for which progress is ambiguous. */
export function repeatedPhases(text: string): number[] {
  const numbers = allPlaces(text).map(({ number }) => number);
  return [...new Set(numbers.filter((number, at) => numbers.indexOf(number) !== at))];
}

/** Returns the text unchanged if there is no such phase. Ticks the steps of a completed phase. */
export function markPhase(text: string, number: number, mark: PhaseMark): string {
  const place = placesOf(text).find((one) => one.number === number);
  if (place === undefined) return text;
  const { at, end } = place.mark;
  const written = place.isBox ? boxes[mark] : `${at === end ? ' ' : ''}[${mark}]`;
  const marked = text.slice(0, at) + written;
  if (mark !== 'COMPLETED') return marked + text.slice(end);
  return marked + ticked(text, end, place.end) + text.slice(place.end);
}

const openBox = /^([ \t]{0,20}[-*+][ \t]{1,4}\[)[ \t]\]/;

/** Line by line, except in code. */
function ticked(text: string, from: number, end: number): string {
  const opaque = outlineOf(text).marks.filter((one) => one.level === opaqueLevel && one.at >= from);
  let passed = 0;
  let now = '';
  for (let at = from; at < end;) {
    const skipped = opaque[passed]?.at === at ? opaque[passed] : undefined;
    if (skipped !== undefined) passed += 1;
    const next = Math.min(skipped?.end ?? lineEnd(text, at), end);
    const line = text.slice(at, next);
    now += skipped === undefined ? line.replace(openBox, '$1x]') : line;
    at = next;
  }
  return now;
}

const boxes: Readonly<Record<PhaseMark, string>> = {
  COMPLETED: 'x',
  'NOT STARTED': ' ',
  'IN PROGRESS': '~',
  PARTIAL: '~',
};

function allPlaces(text: string): PhasePlace[] {
  const outline = outlineOf(text);
  const headings = outline.marks.flatMap((mark, index) => headingPlace(text, outline, mark, index));
  return headings.length > 0 ? headings : boxPlaces(text, outline);
}

function placesOf(text: string): PhasePlace[] {
  const places = allPlaces(text);
  const seen = new Set<number>();
  return places.filter(({ number }) => {
    const isFirst = !seen.has(number);
    seen.add(number);
    return isFirst;
  });
}

function headingPlace(text: string, { marks }: Outline, mark: OutlineMark, index: number): PhasePlace[] {
  const found = mark.level === ruleLevel || mark.level === opaqueLevel ? null : form.exec(mark.text);
  if (found === null) return [];
  const line = text.slice(mark.at, mark.end);
  const wordsEnd = mark.at + line.lastIndexOf(mark.text) + mark.text.length;
  const status = statusAtEnd(mark.text);
  let next = index + 1;
  while (next < marks.length && !isEnd(marks[next], mark)) next += 1;
  return [
    {
      number: Number(found[1]),
      title: titleOf(found[2] ?? ''),
      at: mark.at,
      end: marks[next]?.at ?? text.length,
      isDone: isDone(status),
      mark: { at: wordsEnd - status.length, end: wordsEnd },
      isBox: false,
    },
  ];
}

/** A phase ends the one above it, even if it is nested. */
function isEnd(next: OutlineMark | undefined, { level }: OutlineMark): boolean {
  if (next === undefined) return true;
  return next.level !== ruleLevel && next.level !== opaqueLevel && (next.level <= level || form.test(next.text));
}

const bracketed = /\[[A-Za-z _-]{1,30}\]$/;

/** `[COMPLETED]` or another word for progress; `[optional]` is part of a title. */
function statusAtEnd(words: string): string {
  const found = bracketed.exec(words.slice(-40))?.[0] ?? '';
  return readTaskStatus(found) === undefined ? '' : found;
}

function isDone(status: string): boolean {
  return readTaskStatus(status) === 'completed';
}

function titleOf(words: string): string {
  const title = words.trim();
  return title
    .slice(0, title.length - statusAtEnd(title).length)
    .replaceAll(/\*\*|__/g, '')
    .trim();
}

const boxForm = /^( {0,3}[-*+][ \t]+\[)(.)\][ \t]+(.*?)\r?\n?$/su;

/** `- [x] Phase 3: …`, with everything indented below it. */
function boxPlaces(text: string, { marks }: Outline): PhasePlace[] {
  const places: PhasePlace[] = [];
  let mark = 0;
  for (let at = 0; at < text.length;) {
    while (marks[mark] !== undefined && (marks[mark]?.at ?? 0) < at) mark += 1;
    const skipped = marks[mark]?.at === at ? marks[mark] : undefined;
    const end = skipped?.end ?? lineEnd(text, at);
    const box = skipped === undefined ? boxForm.exec(text.slice(at, end)) : null;
    const found = form.exec(box?.[3] ?? '');
    if (box !== null && found !== null) {
      const inside = at + (box[1]?.length ?? 0);
      const character = box[2] ?? '';
      places.push({
        number: Number(found[1]),
        title: titleOf(found[2] ?? ''),
        at,
        end: boxEnd(text, end),
        isDone: character === 'x' || character === 'X',
        mark: { at: inside, end: inside + character.length },
        isBox: true,
      });
    }
    at = end;
  }
  return places;
}

/** The start of the next line that is neither blank nor indented. */
function boxEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && /\s/.test(text.charAt(end))) end = lineEnd(text, end);
  return end;
}
