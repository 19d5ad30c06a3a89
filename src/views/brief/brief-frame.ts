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
  const all = pieces.map(({ tag, of, text }) => ({ tag, of: redactedLine(of), text: redactedLine(text) }));
  let written = '';
  for (const [at, { tag, of, text }] of all.entries()) {
    const open = `<${tag}${of === '' ? '' : ` of="${fit(of, 40, escapeXml)}"`}>`;
    const left = room - written.length - open.length - `</${tag}>`.length;
    const most = tag === 'checkpoint' || at === all.length - 1 ? left : Math.min(left, longestPiece);
    if (left < Math.min(worthShowing, text.length) || text === '') continue;
    written += `${open}${fit(text, most, escapeXml)}</${tag}>`;
  }
  return written;
}
