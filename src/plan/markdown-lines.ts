/**
 * The lines of a markdown text with what they are: the part of CommonMark and GFM tables that a plan is written in.
 *
 * Reads each character a bounded number of times, so no text can make it slow, and keeps nothing but the current line.
 * Structure inside quotes and code is text, as it is for a reader of the rendered page.
 */
import { ends, type Open, opened } from './open-code.ts';
import { type Span, tableCells } from './table-cells.ts';

export interface Place extends Span {
  /** Where the next line begins. */
  readonly next: number;
  /** From 1. */
  readonly number: number;
}

export type MarkdownLine = Place &
  (
    | { readonly kind: 'heading'; readonly level: number; readonly text: Span }
    | { readonly kind: 'header'; readonly cells: readonly Span[] }
    | { readonly kind: 'row'; readonly cells: readonly Span[] }
    | { readonly kind: 'item'; readonly indent: number; readonly text: Span; readonly box?: Span }
    | { readonly kind: 'text'; readonly indent: number; readonly text: Span }
    | { readonly kind: 'blank' }
    /** Code, comments, rules and whatever else has no part in the structure. */
    | { readonly kind: 'opaque' }
    | { readonly kind: 'too-long' }
  );

export const longestLine = 100_000;

/** What has to be written so that a line after the end of the text is read as structure: the end of open code. */
export type Closing = string | undefined;

/** What the lines before have left. */
interface State {
  open: Open | undefined;
  /** The columns at which the content of the list items around the line begins. */
  readonly columns: number[];
  /** The line before can go on in this one. */
  paragraph: boolean;
  table: 'none' | 'delimiter' | 'rows';
  /** The next line is the underline of a heading. */
  underline: boolean;
}

interface Source {
  readonly text: string;
  readonly placeAt: PlaceAt;
  readonly place: Place;
  readonly indent: number;
  /** Where the content begins, and the content without the blanks around it. */
  readonly start: number;
  readonly content: string;
}

const marker = /^([-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const rule = /^([-*_])(?:[ \t]*\1){2,}[ \t]*$/;

type PlaceAt = (at: number, number: number) => Place;

/** Asked for ever later places only, so that the search for an ending never begins before the one found last. */
function placesIn(text: string): PlaceAt {
  let feed = -1;
  let carriage = -1;
  const from = (character: string, at: number): number => {
    const found = text.indexOf(character, at);
    return found < 0 ? text.length : found;
  };
  return (at, number) => {
    if (feed < at) feed = from('\n', at);
    if (carriage < at) carriage = from('\r', at);
    const end = Math.min(feed, carriage);
    return { at, end, next: Math.min(end + (carriage + 1 === feed ? 2 : 1), text.length), number };
  };
}

/** The line below, or nothing where it is too long to be looked at. */
function below({ placeAt, place }: Source): Span {
  const { at, end } = placeAt(place.next, place.number + 1);
  return end - at > longestLine ? { at, end: at } : { at, end };
}

/** Tabs lead to the next multiple of four. */
function blanksFrom(line: string, column: number): { columns: number; characters: number } {
  let columns = column;
  let characters = 0;
  for (; ; characters += 1) {
    if (line[characters] === ' ') columns += 1;
    else if (line[characters] === '\t') columns += 4 - (columns % 4);
    else return { columns: columns - column, characters };
  }
}

function trimmed(text: string, at: number, end: number): Span {
  while (at < end && (text[at] === ' ' || text[at] === '\t')) at += 1;
  while (end > at && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return { at, end };
}

export function* markdownLines(text: string): Generator<MarkdownLine, Closing> {
  const state: State = { open: undefined, columns: [], paragraph: false, table: 'none', underline: false };
  const begin = text.startsWith('\uFEFF') ? 1 : 0;
  const placeAt = placesIn(text);
  for (let place = placeAt(begin, 1); place.at < text.length; place = placeAt(place.next, place.number + 1)) {
    yield { ...place, ...read(state, text, place, placeAt) };
  }
  // What is open inside of a list item ends with the item.
  return state.open?.column === 0 ? state.open.closing : undefined;
}

type Kind = MarkdownLine extends infer Line ? (Line extends MarkdownLine ? Omit<Line, keyof Place> : never) : never;

function read(state: State, text: string, place: Place, placeAt: PlaceAt): Kind {
  if (place.end - place.at > longestLine) {
    state.paragraph = false;
    state.table = 'none';
    return { kind: 'too-long' };
  }
  const line = text.slice(place.at, place.end);
  const { columns: indent, characters } = blanksFrom(line, 0);
  const source: Source = {
    text,
    placeAt,
    place,
    indent,
    start: place.at + characters,
    content: line.slice(characters).trimEnd(),
  };
  const isBlank = source.content === '';
  if (state.open && !isBlank && indent < state.open.column) state.open = undefined;
  if (state.open) {
    if (ends(state.open, source.content, indent)) state.open = undefined;
    return { kind: 'opaque' };
  }
  if (isBlank) {
    state.paragraph = false;
    state.table = 'none';
    return { kind: 'blank' };
  }
  if (state.underline) {
    state.underline = false;
    return { kind: 'opaque' };
  }
  while ((state.columns.at(-1) ?? 0) > indent) state.columns.pop();
  const found = readOther(state, source) ?? readTable(state, source);
  if (found) return found;
  state.table = 'none';
  return readText(state, source);
}

/** Code, rules, comments, headings and items: what ends a table or a paragraph. */
function readOther(state: State, { text, place, indent, start, content }: Source): Kind | undefined {
  const around = state.columns.at(-1) ?? 0;
  if (indent - around > 3) {
    state.table = 'none';
    if (state.paragraph) return { kind: 'text', indent, text: { at: start, end: start + content.length } };
    return { kind: 'opaque' };
  }
  const opens = opened(content, around);
  if (opens || content.startsWith('<!--') || rule.test(content)) {
    state.open = opens;
    state.paragraph = false;
    state.table = 'none';
    return { kind: 'opaque' };
  }
  const hashes = state.columns.length === 0 ? /^#{1,6}(?=[ \t]|$)/.exec(content)?.[0] : undefined;
  if (hashes !== undefined) {
    state.paragraph = false;
    state.table = 'none';
    return { kind: 'heading', level: hashes.length, text: headingText(text, start + hashes.length, place.end) };
  }
  const found = marker.exec(content)?.[1];
  return found === undefined
    ? undefined
    : readItem(state, text, { at: start + found.length, end: place.end }, indent, found.length);
}

/** Without the hashes that may end it. */
function headingText(text: string, at: number, end: number): Span {
  const whole = trimmed(text, at, end);
  let cut = whole.end;
  while (cut > whole.at && text[cut - 1] === '#') cut -= 1;
  if (cut === whole.at) return { at: cut, end: cut };
  return text[cut - 1] === ' ' || text[cut - 1] === '\t' ? trimmed(text, whole.at, cut) : whole;
}

function readItem(state: State, text: string, rest: Span, indent: number, width: number): Kind {
  const body = trimmed(text, rest.at, rest.end);
  const gap = blanksFrom(text.slice(rest.at, body.at), indent + width).columns;
  const column = indent + width + (gap > 4 || body.at === body.end ? 1 : gap);
  state.columns.push(column);
  state.open = opened(text.slice(body.at, body.end), column);
  state.paragraph = true;
  state.table = 'none';
  const isBoxed = /^\[.\](?=[ \t]|$)/.test(text.slice(body.at, Math.min(body.at + 4, body.end)));
  if (!isBoxed) return { kind: 'item', indent, text: body };
  return {
    kind: 'item',
    indent,
    text: trimmed(text, body.at + 3, body.end),
    box: { at: body.at + 1, end: body.at + 2 },
  };
}

/** A table goes on while its lines have pipes: a sentence right below it is no task. */
function readTable(state: State, source: Source): Kind | undefined {
  const { text, place, start, content } = source;
  if (state.columns.length > 0 || !content.includes('|') || content.startsWith('>')) return undefined;
  if (state.table === 'delimiter') {
    state.table = 'rows';
    return { kind: 'opaque' };
  }
  const cells = tableCells(text, start, place.end);
  if (state.table === 'rows' && (cells.length > 1 || content.startsWith('|'))) return { kind: 'row', cells };
  const next = below(source);
  if (!/^ {0,3}[|:-]/.test(text.slice(next.at, Math.min(next.end, next.at + 4)))) return undefined;
  const delimiter = tableCells(text, next.at, next.end);
  const isTable =
    delimiter.length === cells.length && delimiter.every(({ at, end }) => /^:?-+:?$/.test(text.slice(at, end)));
  if (!isTable) return undefined;
  state.table = 'delimiter';
  state.paragraph = false;
  return { kind: 'header', cells };
}

function readText(state: State, source: Source): Kind {
  const { text, place, indent, start, content } = source;
  if (!state.paragraph && state.columns.length === 0) {
    const next = below(source);
    state.underline = /^ {0,3}=+[ \t]*$/.test(text.slice(next.at, next.end));
    if (state.underline) return { kind: 'heading', level: 1, text: trimmed(text, start, place.end) };
  }
  state.paragraph = true;
  return { kind: 'text', indent, text: trimmed(text, content.startsWith('>') ? start + 1 : start, place.end) };
}
