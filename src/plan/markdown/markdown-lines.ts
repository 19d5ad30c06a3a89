/**
 * Markdown lines: classifies the lines of a markdown text by the syntax tree of a parser (`markdown-pieces.ts`). Structure
 * inside quotes and code is text, as it is on the rendered page.
 */
import type { Heading, List, Node, Nodes, RootContent, Table, TableCell } from 'mdast';
import { type Piece, piecesOf, type LinePlace } from './markdown-pieces.ts';
import { type Span, trimmed } from './span.ts';

type Kind =
  | { readonly kind: 'heading'; readonly level: number; readonly text: Span }
  | { readonly kind: 'header'; readonly cells: readonly Span[] }
  | { readonly kind: 'row'; readonly cells: readonly Span[] }
  | { readonly kind: 'item'; readonly indent: number; readonly text: Span; readonly box?: Span }
  | { readonly kind: 'text'; readonly indent: number; readonly text: Span }
  | { readonly kind: 'blank' }
  /** Code, comments, rules and everything else without structure. */
  | { readonly kind: 'opaque' }
  | { readonly kind: 'too-long' };

export type MarkdownLine = LinePlace & Kind;

/** The text that must be inserted before a line appended at the end is read as structure: the end of open code. */
export type Closing = string | undefined;

/** In characters: large enough to be worth starting the parser, small enough to be released soon. */
const usualPiece = 4096;

export function* markdownLines(text: string, pieceSize = usualPiece): Generator<MarkdownLine, Closing> {
  let closing: Closing;
  for (const piece of piecesOf(text, pieceSize)) {
    closing = piece.closing;
    const kinds = kindsOf(text, piece);
    for (const [at, place] of piece.lines.entries()) yield { ...place, ...(kinds[at] ?? unstructured(text, place)) };
  }
  return closing;
}

function unstructured(text: string, { at, end }: LinePlace): Kind {
  return { kind: text.slice(at, end).trim() === '' ? 'blank' : 'opaque' };
}

/** By line index in the piece; lines without a node are left out. */
function kindsOf(text: string, piece: Piece): (Kind | undefined)[] {
  if (piece.tree === undefined) return [{ kind: 'too-long' }];
  const tree = { text, piece, kinds: Array.from<Kind | undefined>({ length: piece.lines.length }) };
  for (const node of piece.tree.children) {
    if (node.type === 'heading') setHeading(tree, node);
    else if (node.type === 'table') setTable(tree, node);
    else setNode(tree, node);
  }
  return tree.kinds;
}

interface Tree {
  readonly text: string;
  readonly piece: Piece;
  readonly kinds: (Kind | undefined)[];
}

const lineOf = ({ piece }: Tree, { position }: Node): number => (position?.start.line ?? 1) - 1 - piece.before;
const startOf = ({ piece }: Tree, { position }: Node): number => (position?.start.offset ?? 0) + piece.shift;
const endOf = ({ piece }: Tree, { position }: Node): number => (position?.end.offset ?? 0) + piece.shift;

/** Headings and tables inside other blocks are text. */
function setNode(tree: Tree, node: RootContent): void {
  if (node.type === 'list') setList(tree, node);
  else if (node.type === 'paragraph' || node.type === 'blockquote' || node.type === 'heading') setText(tree, node);
}

/** Reads a line of dashes below a text as a rule, as its writer meant, although markdown makes the text a heading. */
function setHeading(tree: Tree, node: Heading): void {
  const line = lineOf(tree, node);
  const isUnderlined = tree.text[startOf(tree, node)] !== '#';
  if (isUnderlined && node.depth === 2) {
    setText(tree, node);
    tree.kinds[line + 1] = { kind: 'opaque' };
  } else tree.kinds[line] = { kind: 'heading', level: node.depth, text: contentOf(tree, node) };
}

/** From the first child to the last; without children, the end of the node. */
function contentOf(tree: Tree, node: Nodes): Span {
  const [first, last] = 'children' in node ? [node.children[0], node.children.at(-1)] : [];
  if (first === undefined || last === undefined) return { at: endOf(tree, node), end: endOf(tree, node) };
  return { at: startOf(tree, first), end: endOf(tree, last) };
}

/** A sentence directly below a table is not a row, although markdown makes it one. */
function setTable(tree: Tree, table: Table): void {
  for (const [at, row] of table.children.entries()) {
    const line = lineOf(tree, row);
    if (line < 0) continue;
    const cells = row.children.map((cell) => cellSpan(tree, cell));
    if (tree.text.slice(startOf(tree, row), endOf(tree, row)).includes('|')) {
      tree.kinds[line] = { kind: at === 0 ? 'header' : 'row', cells };
    } else setText(tree, row);
  }
}

/** In an empty cell, the position after its first blank: the mark is then set apart from the pipe. */
function cellSpan(tree: Tree, cell: TableCell): Span {
  if (cell.children.length > 0) return contentOf(tree, cell);
  const at = startOf(tree, cell);
  const begin = tree.text[at] === '|' ? at + 1 : at;
  const isRoom = begin < endOf(tree, cell) && tree.text[begin] !== '|';
  const place = isRoom ? begin + 1 : begin;
  return { at: place, end: place };
}

function setList(tree: Tree, list: List): void {
  for (const item of list.children) {
    const line = lineOf(tree, item);
    const place = tree.piece.lines[line];
    const [first] = item.children;
    if (place !== undefined) {
      const begins = first !== undefined && lineOf(tree, first) === line;
      tree.kinds[line] ??= itemKind(tree, place, begins ? startOf(tree, first) : place.end);
    }
    for (const child of item.children) setNode(tree, child);
  }
}

function itemKind({ text }: Tree, place: LinePlace, at: number): Kind {
  const body = trimmed(text, { at, end: place.end });
  const indent = indentOf(text, place);
  if (!/^\[.\](?=[ \t]|$)/su.test(text.slice(body.at, Math.min(body.at + 5, body.end))))
    return { kind: 'item', indent, text: body };
  const close = text.indexOf(']', body.at + 2);
  return {
    kind: 'item',
    indent,
    text: trimmed(text, { at: close + 1, end: body.end }),
    box: { at: body.at + 1, end: close },
  };
}

/** Adds every line of the node that is not the line of an item. */
function setText(tree: Tree, node: Nodes): void {
  const last = (node.position?.end.line ?? 1) - 1 - tree.piece.before;
  for (let line = lineOf(tree, node); line <= last; line += 1) {
    const place = tree.piece.lines[line];
    if (place === undefined) continue;
    const whole = trimmed(tree.text, place);
    const isQuote = tree.text[whole.at] === '>';
    if (whole.at === whole.end) continue;
    const text = isQuote ? trimmed(tree.text, { at: whole.at + 1, end: whole.end }) : whole;
    tree.kinds[line] ??= { kind: 'text', indent: indentOf(tree.text, place), text };
  }
}

/** In columns: a tab advances to the next multiple of four. */
function indentOf(text: string, { at, end }: LinePlace): number {
  let columns = 0;
  for (let index = at; index < end; index += 1) {
    if (text[index] === ' ') columns += 1;
    else if (text[index] === '\t') columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}
