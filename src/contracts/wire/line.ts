/**
 * The line format: `a|b|path` on one line of less than 100 characters, or the sentence `Task done. Report: path`.
 * The last such line counts; lines in code fences only when there is none outside.
 */
import type { Findings } from '../finding.ts';
import { limits } from '../field.ts';
import { findFences, insideOf } from './fences.ts';
import { type Found, noSections } from './found.ts';
import { Plain, type Raw } from './raw.ts';
import { inlineValue } from './split-list.ts';

/** Longer lines are not meant as one; this bounds what a candidate costs. */
const longest = 2_000;
const sentence = /^\W{0,3}Task\s+([A-Za-z_-]+)\.\s+Report:\s*(\S.*?)\W{0,3}$/;
/** What the sentence says, and what a line says for contracts that do not define one of their own. */
export const statusLine = ['role', 'status', 'path'] as const;

interface Candidate {
  readonly text: string;
  readonly values: ReadonlyMap<string, Raw>;
  readonly fenced: boolean;
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

/** The lines that hold a pipe or the sentence's marker, found by jumping from one to the next. */
function* linesOf(text: string): Generator<{ start: number; line: string }> {
  const mark = /\||Report:/g;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    const start = text.lastIndexOf('\n', match.index) + 1;
    const newline = text.indexOf('\n', match.index);
    const end = newline < 0 ? text.length : newline;
    if (end - start <= longest) yield { start, line: unquoted(text.slice(start, end)) };
    mark.lastIndex = end;
  }
}

function unquoted(line: string): string {
  return line.trim().replace(/^`(.*)`$/, '$1');
}

function candidatesIn(text: string, names: readonly string[]): Candidate[] {
  const inFence = insideOf(findFences(text));
  const all: Candidate[] = [];
  for (const { start, line } of linesOf(text)) {
    const values = fromPipes(line, names) ?? fromSentence(line);
    if (values !== undefined) all.push({ text: line, values, fenced: inFence(start) });
  }
  return all;
}

export function findLine(text: string, names: readonly string[], findings: Findings): Found | undefined {
  if (!text.includes('|') && !text.includes('Report:')) return undefined;
  const all = candidatesIn(text, names);
  const outside = all.filter(({ fenced }) => !fenced);
  const last = outside.at(-1) ?? all.at(-1);
  if (last === undefined) return undefined;
  if (last.fenced) findings.deviate('fence-around', '', 'the line stands in a code fence');
  if (unquoted(text) !== last.text) findings.deviate('text-around', '', 'text before or after the line');
  if (last.text.length >= limits.line) {
    findings.violate('line-too-long', '', `a line of less than ${limits.line} characters`, `${last.text.length} characters`);
  }
  const values = new Map(last.values);
  // Whose line it is says nothing that the delegation does not know.
  values.delete('role');
  return { wireFormat: 'line', values, sections: noSections };
}
