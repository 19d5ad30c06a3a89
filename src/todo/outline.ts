/**
 * Outline: finds headings, rules, code blocks and comments in a markdown text. Ignores headings inside code and comments.
 * One pass that inspects only the first characters of each line.
 */

export interface OutlineMark {
  /** The start of its first line, and of the line after it. */
  readonly at: number;
  readonly end: number;
  /** 1 to 6 for a heading, otherwise `ruleLevel` or `opaqueLevel`. */
  readonly level: number;
  /** The words of a heading. */
  readonly text: string;
}

/** A line of dashes ends everything above it. */
export const ruleLevel = 0;
/** Code and comments belong to the text around them. */
export const opaqueLevel = 7;

export interface Outline {
  readonly marks: readonly OutlineMark[];
  /** Closes code or a comment that is open at the end. */
  readonly open?: { readonly at: number; readonly closing: string };
}

const hash = 35;
const dash = 45;
const backtick = 96;
const tilde = 126;
const less = 60;

export function outlineOf(text: string): Outline {
  const marks: OutlineMark[] = [];
  let at = text.startsWith('\u{feff}') ? 1 : 0;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const first = firstOf(text, at);
    const code = first < 0 ? 0 : text.charCodeAt(first);
    if (code === hash) {
      const heading = headingOf(text, at, first, end);
      if (heading !== undefined) marks.push(heading);
    } else if (code === dash) {
      if (isRule(text, first, end)) marks.push({ at, end, text: '', level: ruleLevel });
    } else if (code === backtick || code === tilde || code === less) {
      const closing = openingOf(text, first, end);
      if (closing !== undefined) {
        const after = closing === '-->' ? commentEnd(text, first) : fenceEnd(text, end, closing);
        marks.push({ at, end: after < 0 ? text.length : after, text: '', level: opaqueLevel });
        if (after < 0) return { marks, open: { at, closing } };
        at = after;
        continue;
      }
    }
    at = end;
  }
  return { marks };
}

/** The start of the next line. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** The first character, indented by at most three blanks; -1 for deeper lines, which are code. */
function firstOf(text: string, at: number): number {
  let first = at;
  while (first < at + 4 && text.charCodeAt(first) === 32) first += 1;
  return first === at + 4 ? -1 : first;
}

function headingOf(text: string, at: number, first: number, end: number): OutlineMark | undefined {
  let level = 0;
  while (text.charCodeAt(first + level) === hash) level += 1;
  const words = text.slice(first + level, end);
  if (level > 6 || !/^\s/.test(words)) return undefined;
  return { at, end, level, text: withoutClosing(words.trim()) };
}

/** `## Title ##` is `Title`. */
function withoutClosing(words: string): string {
  let end = words.length;
  while (end > 0 && words.charCodeAt(end - 1) === hash) end -= 1;
  const isClosing = end < words.length && (end === 0 || /\s/.test(words.charAt(end - 1)));
  return isClosing ? words.slice(0, end).trimEnd() : words;
}

/** At least three dashes; a list item has text after its dash. */
function isRule(text: string, first: number, end: number): boolean {
  const second = text.charCodeAt(first + 1);
  if (second !== dash && text.charCodeAt(first + 2) !== dash) return false;
  return /^-(?:[ \t]?-){2}[- \t]*\r?\n?$/.test(text.slice(first, Math.min(end, first + 200)));
}

/** The closing of the code or comment that begins here. */
function openingOf(text: string, first: number, end: number): string | undefined {
  if (text.startsWith('<!--', first)) return '-->';
  const mark = text.charAt(first);
  let length = 0;
  while (text[first + length] === mark) length += 1;
  if (length < 3 || mark === '<') return undefined;
  const isInline = mark === '`' && text.slice(first + length, end).includes('`');
  return isInline ? undefined : mark.repeat(length);
}

function fenceEnd(text: string, from: number, closing: string): number {
  const mark = closing.charAt(0);
  for (let at = from; at < text.length;) {
    const end = lineEnd(text, at);
    const first = firstOf(text, at);
    if (first >= 0 && text.startsWith(closing, first)) {
      let last = first + closing.length;
      while (text[last] === mark) last += 1;
      if (text.slice(last, end).trim() === '') return end;
    }
    at = end;
  }
  return -1;
}

function commentEnd(text: string, first: number): number {
  const end = text.indexOf('-->', first + 4);
  return end < 0 ? -1 : lineEnd(text, end);
}
