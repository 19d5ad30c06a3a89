/**
 * Markdown pieces: parses a markdown text piece by piece: the syntax tree of a plan of 100,000 rows is never in memory as a
 * whole.
 *
 * A piece ends where no block can continue on the next line, or between two rows of a table, whose rest is parsed with its
 * header in front. If code or a comment is open at the end of a piece, a longer piece is taken. Only blocks are parsed: text
 * inside a line stays as written, and cannot slow the parser down.
 */
import type { Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { Span } from './span.ts';

export interface LinePlace extends Span {
  /** The start of the next line. */
  readonly next: number;
  /** From 1. */
  readonly number: number;
}

export interface Piece {
  readonly lines: readonly LinePlace[];
  /** Absent for a line that is too long or nested too deeply to parse. */
  readonly tree?: Root;
  /** Added to an offset of the tree, gives an offset of the text. */
  readonly shift: number;
  /** Lines of the tree before the first line of the piece. */
  readonly before: number;
  /** Closes code or a comment that is open at the end. */
  readonly closing: string | undefined;
}

export const longestLine = 100_000;

/** In characters; a longer paragraph may be cut between two lines. */
const longestParagraph = 16_384;

const inline = [
  'attention',
  'autolink',
  'characterEscape',
  'characterReference',
  'codeText',
  'definition',
  'hardBreakEscape',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
];
const options = {
  extensions: [gfmTable(), { disable: { null: inline } }],
  mdastExtensions: [gfmTableFromMarkdown()],
};

const heading = /^#{1,6}(?:[ \t]|$)/;
const row = /^ {0,3}\|/;
/** Starts a top-level list item, or is a rule. */
const item = /^[-*+][ \t]+\S/;
const underline = /^ {0,3}=+[ \t]*$/;
/** Each nesting level makes the parser inspect every line once more. */
const deep = /^(?:[ \t]*(?:[-*+>]|\d{1,9}[.)])){50}|^[ \t]{100,}(?:[-*+>]|\d{1,9}[.)])/;

/** `size` is the minimum length of a piece, in characters. */
export function* piecesOf(text: string, size: number): Generator<Piece, undefined> {
  let place = placeAt(text, text.startsWith('\uFEFF') ? 1 : 0, 1);
  let header = '';
  while (place.at < text.length) {
    if (isHopeless(text, place)) {
      yield { lines: [place], shift: 0, before: 0, closing: undefined };
      header = '';
      place = placeAt(text, place.next, place.number + 1);
      continue;
    }
    const piece = longEnough(text, place, header, size);
    yield piece;
    const last = piece.lines.at(-1) ?? place;
    place = placeAt(text, last.next, last.number + 1);
    header = row.test(text.slice(place.at, place.at + 4)) ? headerOf(text, piece, header) : '';
  }
}

/** The smallest piece from here that does not cut code or a comment. */
function longEnough(text: string, from: LinePlace, header: string, least: number): Piece {
  for (let size = least; ; size *= 2) {
    const lines = linesFrom(text, from, size);
    const end = lines.at(-1)?.next ?? from.next;
    const tree = fromMarkdown(header + text.slice(from.at, end), options);
    const shift = from.at - header.length;
    const closing = closingOf(text, tree.children.at(-1), shift);
    const isLast = end >= text.length || isHopeless(text, placeAt(text, end, 0));
    if (closing === undefined || isLast) return { lines, tree, shift, before: header === '' ? 0 : 2, closing };
  }
}

function linesFrom(text: string, from: LinePlace, size: number): LinePlace[] {
  const lines: LinePlace[] = [];
  for (let place = from; place.at < text.length; place = placeAt(text, place.next, place.number + 1)) {
    const before = lines.at(-1);
    if (before !== undefined && isHopeless(text, place)) break;
    const length = place.at - from.at;
    if (before !== undefined && length >= size && isSeam(text, before, place)) break;
    if (length >= Math.max(4 * size, longestParagraph) && isForcedSeam(text, place)) break;
    lines.push(place);
  }
  return lines;
}

/** True if no block of the previous line continues here, or if it continues the same way after a cut. */
function isSeam(text: string, before: LinePlace, place: LinePlace): boolean {
  const start = text.slice(place.at, Math.min(place.end, place.at + 7));
  if (heading.test(start) || item.test(start)) return true;
  const above = text.slice(before.at, before.end);
  if (row.test(start)) return row.test(above) && !beginsTable(text, place);
  return /^\S/.test(start) && (above.trim() === '' || underline.test(above));
}

/**
 * A paragraph or list of many lines takes the parser ever longer. A cut before a word or a row does not change how it is read,
 * unless thousands of lines form a single heading.
 */
function isForcedSeam(text: string, { at, end }: LinePlace): boolean {
  if (text[at] === '|') return true;
  return /^\p{L}/u.test(text.slice(at, at + 2)) && !text.slice(at, end).includes('|');
}

/** Only the line below it distinguishes the header of a table from its rows. */
function beginsTable(text: string, place: LinePlace): boolean {
  return isDelimiter(text, place) || isDelimiter(text, placeAt(text, place.next, 0));
}

function isDelimiter(text: string, { at, end }: LinePlace): boolean {
  return /^[|: \t-]+$/.test(text.slice(at, end));
}

function placeAt(text: string, at: number, number: number): LinePlace {
  let end = at;
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { at, end, next: Math.min(end + (text.startsWith('\r\n', end) ? 2 : 1), text.length), number };
}

function isHopeless(text: string, { at, end }: LinePlace): boolean {
  return end - at > longestLine || deep.test(text.slice(at, Math.min(end, at + 2000)));
}

/** The first two lines of the table that the piece ends with, for the piece that continues it. */
function headerOf(text: string, { tree, lines, before }: Piece, header: string): string {
  const last = tree?.children.at(-1);
  if (last?.type !== 'table') return '';
  const line = (last.position?.start.line ?? 1) - 1 - before;
  if (line < 0) return header;
  return lines
    .slice(line, line + 2)
    .map(({ at, end }) => `${text.slice(at, end)}\n`)
    .join('');
}

const raw = /^<(pre|script|style|textarea)(?:[\s>]|$)/i;

/** The closing of the code or comment node, if it is open. */
function closingOf(text: string, node: RootContent | undefined, shift: number): string | undefined {
  if (node?.type !== 'code' && node?.type !== 'html') return undefined;
  const whole = text.slice((node.position?.start.offset ?? 0) + shift, (node.position?.end.offset ?? 0) + shift);
  // Indented code needs no closing.
  if ((node.position?.start.column ?? 1) > 4 || /^(?: {4}| {0,3}\t)/.test(whole)) return undefined;
  const source = whole.trimStart();
  if (node.type === 'html') {
    if (source.startsWith('<!--')) return source.includes('-->', 2) ? undefined : '-->';
    const element = raw.exec(source)?.[1];
    return element === undefined || /<\/(?:pre|script|style|textarea)>/i.test(source) ? undefined : `</${element}>`;
  }
  const fence = /^(?:`{3,}|~{3,})/.exec(source)?.[0];
  if (fence === undefined) return undefined;
  const last = source.slice(Math.max(source.lastIndexOf('\n'), source.lastIndexOf('\r')) + 1);
  const end = /^ {0,3}(`+|~+)[ \t]*$/.exec(last)?.[1] ?? '';
  const isClosed = last.length < source.length && end.startsWith(fence);
  return isClosed ? undefined : fence;
}
