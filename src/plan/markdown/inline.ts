/** Inline: reads the text inside a line: without decoration, as label and value, or as a list of values. */
import type { Span } from './span.ts';

const wrappers = ['**', '__', '`', '*', '_'] as const;

/** The text without emphasis or code marks around all of it. */
export function bare(text: string): string {
  let inside = text.trim();
  for (const mark of wrappers) {
    const isWrapped = inside.length > mark.length * 2 && inside.startsWith(mark) && inside.endsWith(mark);
    if (isWrapped && inside.indexOf(mark, mark.length) === inside.length - mark.length) {
      inside = inside.slice(mark.length, -mark.length).trim();
    }
  }
  return inside;
}

/** The same, as a span of the text. */
export function bareSpan(text: string, { at, end }: Span): Span {
  const whole = text.slice(at, end);
  const inside = bare(whole);
  const begin = inside === '' ? -1 : whole.indexOf(inside);
  return begin < 0 ? { at, end } : { at: at + begin, end: at + begin + inside.length };
}

/** The text of a table cell: unescaped, with links replaced by their words. */
export function plain(text: string): string {
  const unescaped = text.includes('\\') ? text.replace(/\\([|_*`[\]~#<>-])/g, '$1') : text;
  return bare(bare(unescaped).replace(/^\[([^\]]+)\]\([^()]*\)$/, '$1'));
}

const nothing = new Set(['', '-', '–', '—', '--', 'none', 'n/a', 'na', 'nothing', '/', '∅']);

export function saysNothing(text: string): boolean {
  return text.length < 16 && nothing.has(bare(text).replace(/\.$/, '').toLowerCase());
}

export interface Label {
  /** Lower case, with single spaces. */
  readonly name: string;
  readonly value: Span;
}

const label = /^(\*\*|__|\*|_|`|)([A-Za-z][A-Za-z0-9 ()/_-]{0,39}?)(?:\1[ \t]{0,4}:|:\1)(?=[ \t]|$)[ \t]*/;

/** `**Goal**: …`, `**Goal:** …`, `Goal: …`. */
export function labelIn(text: string, { at, end }: Span): Label | undefined {
  const found = label.exec(text.slice(at, Math.min(end, at + 80)));
  if (!found) return undefined;
  let from = at + found[0].length;
  while (from < end && (text[from] === ' ' || text[from] === '\t')) from += 1;
  return { name: normalWords(found[2] ?? ''), value: { at: from, end } };
}

/** For comparison: lower case, without decoration, one blank between words. */
export function normalWords(text: string): string {
  return bare(text)
    .toLowerCase()
    .split(/[\s_-]+/)
    .join(' ')
    .trim();
}

const lineBreak = /<br *\/?>|\n/i;

/** The parts between separators, ignoring separators inside code. */
export function parts(text: string, separator: ',' | ';'): string[] {
  const found: string[] = [];
  for (const line of text.split(lineBreak)) {
    let from = 0;
    let isCode = false;
    for (let at = 0; at <= line.length; at += 1) {
      if (line[at] === '`') isCode = !isCode;
      if (at < line.length && (isCode || line[at] !== separator)) continue;
      found.push(line.slice(from, at).trim());
      from = at + 1;
    }
  }
  return found.filter((part) => !saysNothing(part));
}
