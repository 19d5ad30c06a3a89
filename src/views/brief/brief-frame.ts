/**
 * The frame of what enters a context about a run: one element with its data, and behind it what is next.
 *
 * The budget holds by construction: what must be said has a bound, the rest is taken piece by piece, in the order in which it is
 * given, as long as there is room. Words of others are redacted, escaped, and stand where only data can stand.
 */
import { flatten } from '../../base/text.ts';
import { escapeXml, fit } from '../text/escape.ts';
import { safeLine } from './brief-text.ts';

export interface BriefPiece {
  readonly tag: string;
  readonly of: string;
  readonly text: string;
}

export interface BriefParts {
  readonly run: string;
  readonly status: string;
  /** Attributes, each with a space before it, escaped; left out where they do not fit. */
  readonly facts: readonly string[];
  readonly pieces: readonly BriefPiece[];
  /** Ours alone. */
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

/** A number or a name is a fact only when it is whole. */
function whole(parts: readonly string[], room: number): string {
  let text = '';
  for (const part of parts) if (text.length + part.length <= room) text += part;
  return text;
}

/** A piece shorter than this says nothing: then it is left out. */
const worthShowing = 16;
/** What is said at most about one task while others have something to say. */
const longestPiece = 160;

function body(pieces: readonly BriefPiece[], room: number): string {
  const all = pieces.map(({ tag, of, text }) => ({ tag, of: safeLine(of), text: safeLine(text) }));
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
