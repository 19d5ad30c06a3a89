/** The phases of an implementation plan, and their marks. Every byte but a mark stays. */
import { lineEnd, type Mark, opaqueLevel, type Outline, outlineOf, ruleLevel } from './outline.ts';

export interface Phase {
  readonly number: number;
  readonly title: string;
  /** Its section, with the heading. */
  readonly text: string;
  readonly isDone: boolean;
}

export const phaseMarks = ['NOT STARTED', 'IN PROGRESS', 'COMPLETED', 'PARTIAL'] as const;
export type PhaseMark = (typeof phaseMarks)[number];

interface PhasePlace {
  readonly number: number;
  readonly title: string;
  readonly at: number;
  readonly end: number;
  readonly isDone: boolean;
  /** `[COMPLETED]` or the place for it, or the inside of a box. */
  readonly markAt: number;
  readonly markEnd: number;
  readonly isBox: boolean;
}

const form = /^(?:\*\*|__)?phase[ \t]+(\d{1,6})(?:\*\*|__)?[ \t]*(?:[:.)–—-][ \t]*)?(?:\*\*|__)?(.*)$/isu;
const markForm = /\[([A-Za-z _-]{1,30})\][ \t]*$/;
const doneWords = ['completed', 'complete', 'done'];

/** Of a number that comes twice, the first. */
export function readPhases(text: string): readonly Phase[] {
  return placesOf(text).map(({ number, title, isDone, at, end }) => ({
    number,
    title,
    isDone,
    text: text.slice(at, end),
  }));
}

/** The text as it was where there is no such phase. */
export function markPhase(text: string, number: number, mark: PhaseMark): string {
  const place = placesOf(text).find((one) => one.number === number);
  if (place === undefined) return text;
  const written = place.isBox
    ? { COMPLETED: 'x', 'NOT STARTED': ' ', 'IN PROGRESS': '~', PARTIAL: '~' }[mark]
    : ` [${mark}]`;
  return text.slice(0, place.markAt) + written + text.slice(place.markEnd);
}

function placesOf(text: string): PhasePlace[] {
  const outline = outlineOf(text);
  const headings = outline.marks.flatMap((mark, index) => headingPlace(text, outline, mark, index));
  const places = headings.length > 0 ? headings : boxPlaces(text, outline);
  const seen = new Set<number>();
  return places.filter(({ number }) => !seen.has(number) && seen.add(number));
}

function headingPlace(text: string, { marks }: Outline, mark: Mark, index: number): PhasePlace[] {
  const found = mark.level === ruleLevel || mark.level === opaqueLevel ? null : form.exec(mark.text);
  if (found === null) return [];
  const line = text.slice(mark.at, mark.end);
  const wordsEnd = mark.at + line.lastIndexOf(mark.text) + mark.text.length;
  const status = markForm.exec(mark.text.slice(-40));
  const markAt = mark.at + text.slice(mark.at, wordsEnd - (status?.[0].length ?? 0)).trimEnd().length;
  let next = index + 1;
  while (next < marks.length && !isEnd(marks[next], mark)) next += 1;
  return [
    {
      number: Number(found[1]),
      title: titleOf(found[2] ?? ''),
      at: mark.at,
      end: marks[next]?.at ?? text.length,
      isDone: isDone(status?.[1]),
      markAt,
      markEnd: wordsEnd,
      isBox: false,
    },
  ];
}

function isEnd(next: Mark | undefined, { level }: Mark): boolean {
  return next === undefined || (next.level > ruleLevel && next.level <= level);
}

function isDone(word: string | undefined): boolean {
  return doneWords.includes((word ?? '').toLowerCase().trim());
}

function titleOf(words: string): string {
  return words
    .replace(markForm, '')
    .replaceAll(/\*\*|__/g, '')
    .trim();
}

const boxForm = /^( {0,3}[-*+][ \t]+\[)(.)\][ \t]+(.*?)\r?\n?$/su;

/** `- [x] Phase 3: …`, with what is indented below it. */
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
      const markAt = at + (box[1]?.length ?? 0);
      const [number, title] = [Number(found[1]), titleOf(found[2] ?? '')];
      const box2 = { markAt, markEnd: markAt + (box[2]?.length ?? 1), isBox: true };
      places.push({ number, title, at, end: boxEnd(text, end), isDone: /x/i.test(box[2] ?? ''), ...box2 });
    }
    at = end;
  }
  return places;
}

function boxEnd(text: string, from: number): number {
  let end = from;
  while (
    end < text.length &&
    /^(?:[ \t]+\S|[ \t]*\r?$)/.test(text.slice(end, Math.min(end + 200, lineEnd(text, end))).replace('\n', ''))
  )
    end = lineEnd(text, end);
  return end;
}
