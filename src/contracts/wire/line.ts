/**
 * Line format: `a|b|path` on one line of less than 100 characters, not counting its path, or the sentence
 * `Task done. Report: path`. Uses the last such line; lines in code fences only if there is none outside.
 */
import { limits } from '../field.ts';
import type { Findings } from '../finding.ts';
import { fencesIn, outsideOf, type FenceSpan } from './fences.ts';
import { type WireReturn, noSections, Plain, type Raw } from './raw.ts';
import { inlineValue } from './split-list.ts';

/** Longer lines are not candidates; bounds the cost of each. */
const longest = 2_000;
const sentence = /^\W{0,3}Task\s+([A-Za-z_-]+)\.\s+Report:\s*(\S.*?)["'`*.]{0,4}(?:\.\s.*)?$/;
/** The parts of the sentence, and of a line for contracts that define none. */
export const statusLine = ['role', 'status', 'path'] as const;

interface Candidate {
  readonly text: string;
  readonly values: ReadonlyMap<string, Raw>;
}

function fromSentence(text: string): ReadonlyMap<string, Raw> | undefined {
  const match = sentence.exec(text);
  if (match === null) return undefined;
  return new Map<string, Raw>([
    ['status', new Plain(match[1] ?? '')],
    ['path', new Plain(match[2] ?? '')],
  ]);
}

function fromPipes(text: string, names: readonly string[]): ReadonlyMap<string, Raw> | undefined {
  if (text.startsWith('|') || text.endsWith('|')) return undefined;
  const parts = text.split('|').map((part) => part.trim());
  if (parts.length !== names.length || parts.some((part) => part === '')) return undefined;
  return new Map(names.map((name, at) => [name, inlineValue(parts[at] ?? '')]));
}

/** Without quotes, code marks or bold around the whole line; those around a part stay. */
function unquoted(line: string): string {
  const trimmed = line.trim();
  const mark = /^(?:\*\*|["'`])/.exec(trimmed)?.[0];
  if (mark === undefined || !trimmed.endsWith(mark)) return trimmed;
  const inner = trimmed.slice(mark.length, -mark.length);
  return inner.includes(mark) ? trimmed : inner;
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const COLON = 0x3a;
const PIPE = 0x7c;

/**
 * The last line within a span that reads as a return. Scans backwards by character code, because a text may consist of lines
 * that nearly match: only a line with the right number of non-blank parts, or with the sentence's marker and text after it,
 * is parsed.
 */
function lastIn(text: string, { start, end }: FenceSpan, names: readonly string[]): Candidate | undefined {
  let lineEnd = end;
  let pipes = 0;
  let blankPart = false;
  let visible = false;
  let marker = false;
  for (let at = end - 1; at >= start - 1; at -= 1) {
    const code = at < start ? NEWLINE : text.charCodeAt(at);
    if (code === NEWLINE) {
      const hasParts = pipes > 0 && pipes === names.length - 1 && visible && !blankPart;
      if ((hasParts || marker) && lineEnd - at - 1 <= longest) {
        const line = unquoted(text.slice(at + 1, lineEnd));
        const values = (hasParts ? fromPipes(line, names) : undefined) ?? fromSentence(line);
        if (values !== undefined) return { text: line, values };
      }
      lineEnd = at;
      pipes = 0;
      blankPart = false;
      visible = false;
      marker = false;
    } else if (code === PIPE) {
      pipes += 1;
      blankPart ||= !visible;
      visible = false;
    } else if (code !== SPACE && code !== TAB) {
      if (code === COLON && (visible || pipes > 0)) marker ||= text.startsWith('Report', at - 6);
      visible = true;
    }
  }
  return undefined;
}

function lastOutside(text: string, names: readonly string[]): Candidate | undefined {
  for (const span of outsideOf(fencesIn(text), text.length).toReversed()) {
    const last = lastIn(text, span, names);
    if (last !== undefined) return last;
  }
  return undefined;
}

export function findLine(text: string, names: readonly string[], findings: Findings): WireReturn | undefined {
  if (!text.includes('|') && !text.includes('Report:')) return undefined;
  const outside = lastOutside(text, names);
  const last = outside ?? lastIn(text, { start: 0, end: text.length }, names);
  if (last === undefined) return undefined;
  if (outside === undefined) findings.deviate('fence-around', '', 'the line is in a code fence');
  if (unquoted(text) !== last.text) findings.deviate('text-around', '', 'text before or after the line');
  // The agent does not choose the length of its path.
  const path = last.values.get('path');
  const length = last.text.length - (path instanceof Plain ? path.text.length : 0);
  if (length >= limits.line) {
    const expected = `a line of less than ${limits.line} characters, its path aside`;
    findings.violate('line-too-long', '', expected, `${length} characters`);
  }
  const values = new Map(last.values);
  // The role repeats what the delegation already says.
  values.delete('role');
  return { wireFormat: 'line', values, sections: noSections };
}
