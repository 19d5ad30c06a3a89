/**
 * JSON format: one object, alone, in a fence or inside prose. Uses the object that names the most fields of the contract, on a
 * tie the last one. Records all repairs.
 */
import type { Findings } from '../finding.ts';
import { insideOf } from './fences.ts';
import { findJson, type JsonSpan } from './find-json.ts';
import type { Json } from './lenient-json.ts';
import { parseJson } from './parse-json.ts';
import { type WireReturn, noSections, type Raw, type RawMap } from './raw.ts';

/** Tries only the last candidates: the answer is at the end, and each attempt takes time. */
const tried = 16;

interface Candidate {
  readonly span: JsonSpan;
  readonly value: { readonly [key: string]: Json };
  readonly repairs: readonly string[];
  readonly duplicates: readonly string[];
}

function candidate(text: string, span: JsonSpan): Candidate | undefined {
  const parsed = parseJson(text.slice(span.start, span.end));
  if (!parsed.ok || parsed.value === null || typeof parsed.value !== 'object' || Array.isArray(parsed.value))
    return undefined;
  return { span, value: parsed.value, repairs: parsed.repairs, duplicates: parsed.duplicateKeys };
}

/** An object that was cut off after complete ones inside it: the first that begins outside all complete ones. */
function cutOff(text: string, spans: readonly JsonSpan[]): Candidate | undefined {
  const inside = insideOf(spans);
  const start = text.matchAll(/\{\s*["'\w]/g).find((match) => !inside(match.index))?.index;
  return start === undefined ? undefined : candidate(text, { start, end: text.length, complete: false });
}

function fieldsNamed(value: object, known: ReadonlySet<string>): number {
  let named = 0;
  for (const name of known) if (Object.hasOwn(value, name)) named += 1;
  return named;
}

/** The candidates, last first. */
function bestOf(candidates: readonly Candidate[], known: ReadonlySet<string>): Candidate | undefined {
  let best = candidates[0];
  for (const one of candidates) {
    if (best !== undefined && fieldsNamed(one.value, known) > fieldsNamed(best.value, known)) best = one;
  }
  return best;
}

function surroundings(text: string, { start, end }: JsonSpan): string {
  const strip = (part: string): string => part.replace(/```\w*|~~~\w*/g, '').trim();
  const ends = 200;
  return strip(text.slice(Math.max(0, start - ends), start)) + strip(text.slice(end, end + ends));
}

/** The JSON should be alone: text around it is a deviation, and so is a fence. */
function recordAround(text: string, span: JsonSpan, findings: Findings): void {
  if (surroundings(text, span) !== '') findings.deviate('text-around', '', 'text before or after the JSON object');
  else if (/^\s*(?:```|~~~)/.test(text)) findings.deviate('fence-around', '', 'the JSON object is in a code fence');
}

export function findJsonReturn(text: string, known: ReadonlySet<string>, findings: Findings): WireReturn | undefined {
  if (!text.includes('{')) return undefined;
  const spans = findJson(text);
  const last = spans
    .slice(-tried)
    .toReversed()
    .map((span) => candidate(text, span));
  const best = bestOf(
    [...last, cutOff(text, spans)].filter((found) => found !== undefined),
    known,
  );
  if (best === undefined) {
    const looksMeant = text.trimStart().startsWith('{');
    if (looksMeant) findings.violate('json-invalid', '', 'one valid JSON object', text.slice(0, 200));
    return looksMeant ? { wireFormat: 'json', values: new Map(), sections: noSections, refused: true } : undefined;
  }
  recordAround(text, best.span, findings);
  if (best.repairs.includes('unterminated') || !best.span.complete) {
    findings.violate('json-invalid', '', 'a JSON object that is complete', 'the end of the text');
  } else if (best.repairs.length > 0) {
    findings.deviate('json-repaired', '', best.repairs.join(', '));
  }
  for (const name of best.duplicates) findings.deviate('duplicate-key', name, 'the last one is used');
  const values: RawMap = new Map(Object.entries(best.value) as [string, Raw][]);
  return { wireFormat: 'json', values, sections: noSections };
}
