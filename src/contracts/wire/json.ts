/**
 * The JSON format: one object, alone, in a fence or inside prose. The last object that names a field of the contract
 * counts. What had to be repaired to read it is recorded.
 */
import type { Findings } from '../finding.ts';
import { findJson, type JsonSpan } from '../find-json.ts';
import { type Json, parseJson } from '../parse-json.ts';
import { type Found, noSections } from './found.ts';
import type { Raw, RawMap } from './raw.ts';

/** Only the last few candidates are tried: the answer stands at the end, and each try costs time. */
const tried = 16;

interface Candidate {
  readonly span: JsonSpan;
  readonly value: { readonly [key: string]: Json };
  readonly repairs: readonly string[];
  readonly duplicates: readonly string[];
}

function candidate(text: string, span: JsonSpan): Candidate | undefined {
  const parsed = parseJson(text.slice(span.start, span.end));
  if (!parsed.ok || parsed.value === null || typeof parsed.value !== 'object' || Array.isArray(parsed.value)) return undefined;
  return { span, value: parsed.value, repairs: parsed.repairs, duplicates: parsed.duplicateKeys };
}

function namesField(value: object, known: ReadonlySet<string>): boolean {
  for (const name of known) if (Object.hasOwn(value, name)) return true;
  return false;
}

function surroundings(text: string, { start, end }: JsonSpan): string {
  const strip = (part: string): string => part.replace(/```\w*|~~~\w*/g, '').trim();
  const ends = 200;
  return strip(text.slice(Math.max(0, start - ends), start)) + strip(text.slice(end, end + ends));
}

/** JSON is asked for alone, so anything around it is a deviation; a fence is packaging of its own kind. */
function recordAround(text: string, span: JsonSpan, findings: Findings): void {
  if (surroundings(text, span) !== '') findings.deviate('text-around', '', 'text before or after the JSON object');
  else if (/^\s*(?:```|~~~)/.test(text)) findings.deviate('fence-around', '', 'the JSON object stands in a code fence');
}

export function findJsonReturn(text: string, known: ReadonlySet<string>, findings: Findings): Found | undefined {
  if (!text.includes('{')) return undefined;
  const spans = findJson(text).slice(-tried);
  const candidates = spans.reverse().map((span) => candidate(text, span)).filter((found) => found !== undefined);
  const best = candidates.find(({ value }) => namesField(value, known)) ?? candidates[0];
  if (best === undefined) {
    const looksMeant = text.trimStart().startsWith('{');
    if (looksMeant) findings.violate('json-invalid', '', 'one valid JSON object', text.slice(0, 200));
    return looksMeant ? { wireFormat: 'json', values: new Map(), sections: noSections } : undefined;
  }
  recordAround(text, best.span, findings);
  if (best.repairs.includes('unterminated') || !best.span.complete) {
    findings.violate('json-invalid', '', 'a JSON object that is complete', text.slice(-80));
  } else if (best.repairs.length > 0) {
    findings.deviate('json-repaired', '', best.repairs.join(', '));
  }
  for (const name of best.duplicates) findings.deviate('duplicate-key', name, 'the last one counts');
  const values: RawMap = new Map(Object.entries(best.value) as [string, Raw][]);
  return { wireFormat: 'json', values, sections: noSections };
}
