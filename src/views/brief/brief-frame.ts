/**
 * Brief frame: one element with the data of a run, followed by the next step.
 *
 * The budget holds by construction: the required parts are bounded, and the others are added in order while they fit. Others'
 * words are redacted, escaped, and placed where only data can be.
 */
import { flatten, redactedLine } from '../../base/text.ts';
import { escapeXml, fit } from '../text/escape.ts';

export interface BriefPiece {
  readonly tag: string;
  readonly of: string;
  readonly text: string;
  /** Share the room that is left, in equal parts; what has no room is counted. Instead of the text. */
  readonly parts?: readonly string[];
}

export interface BriefParts {
  readonly run: string;
  readonly status: string;
  /** Escaped attributes, each with a leading space; dropped where they do not fit. */
  readonly facts: readonly string[];
  readonly pieces: readonly BriefPiece[];
  /** Never contains others' words. */
  readonly next: string;
  /** In characters. */
  readonly budget: number;
}

export function framedBrief({ run, status, facts: given, pieces, next, budget }: BriefParts): string {
  const head = `<divisi-run id="${short(run, 40)}" status="${short(status, 20)}"`;
  const tail = `</divisi-run>\nnext: ${fit(next, 250, (text) => text)}`;
  const frame = head.length + ' content="data">'.length + tail.length;
  const facts = whole(given, budget - frame);
  return `${head}${facts} content="data">${body(pieces, budget - frame - facts.length)}${tail}`;
}

const short = (text: string, most: number): string => fit(flatten(text), most, escapeXml);

/** A cut number or name would be wrong, so each part is whole or absent. */
function whole(parts: readonly string[], room: number): string {
  let text = '';
  for (const part of parts) if (text.length + part.length <= room) text += part;
  return text;
}

/** A shorter piece is dropped. */
const worthShowing = 16;
/** Longest piece while others follow. */
const longestPiece = 160;

function body(pieces: readonly BriefPiece[], room: number): string {
  const all = onceEach(pieces).map(({ tag, of, text, parts }) => {
    return { tag, of: redactedLine(of), text: redactedLine(text), parts: parts?.map((part) => redactedLine(part)) };
  });
  let written = '';
  for (const [at, { tag, of, text, parts }] of all.entries()) {
    const open = `<${tag}${of === '' ? '' : ` of="${fit(of, 40, escapeXml)}"`}>`;
    const left = room - written.length - open.length - `</${tag}>`.length;
    if (parts !== undefined) {
      const shown = shared(parts, left);
      if (shown !== '') written += `${open}${shown}</${tag}>`;
      continue;
    }
    const most = tag === 'checkpoint' || at === all.length - 1 ? left : Math.min(left, longestPiece);
    if (left < Math.min(worthShowing, text.length) || text === '') continue;
    written += `${open}${fit(text, most, escapeXml)}</${tag}>`;
  }
  return written;
}

/** The same words about several tasks are one piece: `1.1, 1.2, 1.3`. */
function onceEach(pieces: readonly BriefPiece[]): BriefPiece[] {
  const bySame = Map.groupBy(pieces, ({ tag, text, parts }) => JSON.stringify([tag, text, parts]));
  return [...bySame.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, of: [first, ...more].map(({ of }) => of).join(', ') }],
  );
}

/** A part with less room than this says nothing. */
const leastPart = 24;
const longestPart = 140;

function shared(parts: readonly string[], room: number): string {
  const counted = ' and 99999 more'.length;
  const fits = Math.min(parts.length, Math.floor((room - counted) / (leastPart + 2)));
  if (fits < 1) return '';
  const rest = parts.length - fits;
  let text = '';
  for (const [at, part] of parts.slice(0, fits).entries()) {
    const left = room - text.length - (rest > 0 ? counted : 0);
    const between = at === 0 ? '' : '; ';
    text += between + fit(part, Math.min(longestPart, Math.floor(left / (fits - at)) - between.length), escapeXml);
  }
  return rest > 0 ? `${text} and ${rest} more` : text;
}
