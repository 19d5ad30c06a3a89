/**
 * Read scalar: converts one raw value to the type its field declares. Reads every unambiguous spelling and records the deviation;
 * refuses the rest with a violation.
 */
import { type FieldType, limits, type Progress } from '../field.ts';
import type { Findings } from '../finding.ts';
import { delegationIdSchema } from '../../base/ids.ts';
import { normalPath, pathFault, wayFrom } from '../../base/paths.ts';
import { readStatus, type Status, statuses, statusWord } from '../status.ts';
import { describe, Plain, type Raw, type WireFormat } from '../wire/raw.ts';

export interface ReadContext {
  readonly wireFormat: WireFormat;
  readonly findings: Findings;
  /** Absolute: an absolute path below one of these folders is read as a relative one. */
  readonly folders?: readonly string[] | undefined;
}

/** A type's requirement, in words for a person or an agent: those of the format, where it has its own. */
export function expectation(type: FieldType, wireFormat: WireFormat = 'json'): string {
  switch (type.type) {
    case 'text':
      return type.maxLength === undefined ? 'text' : `text of at most ${type.warnAbove ?? type.maxLength} characters`;
    case 'path':
      return 'a path relative to the project root';
    case 'id':
      return 'the delegation id you were given (sess_…)';
    case 'status':
      return `one of ${statuses.map((status) => statusWord(status, wireFormat)).join(', ')}`;
    case 'flag':
      return 'true or false';
    case 'number':
      return numberExpectation(type);
    case 'choice':
      return `one of ${type.of.join(', ')}`;
    case 'progress':
      return 'number/total, for example 2/3';
    case 'list':
      return listExpectation(type.of);
    case 'record':
      return `a record with ${Object.keys(type.fields).join(', ')}`;
    default:
      return type satisfies never;
  }
}

function listExpectation(item: FieldType): string {
  if (item.type === 'choice') return `a list, each item ${expectation(item)}`;
  return `a list of ${item.type === 'status' ? 'statuses' : `${item.type}s`}`;
}

function numberExpectation({ min, max, integer }: FieldType & { type: 'number' }): string {
  const kind = integer === true ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (max !== undefined) return `${kind}, at most ${max}`;
  return min === undefined ? kind : `${kind}, at least ${min}`;
}

/** The text of a value that is written as text. */
export function writtenText(raw: Raw): string | undefined {
  if (raw instanceof Plain) return raw.text;
  return typeof raw === 'string' ? raw : undefined;
}

/** YAML reads the item `- no limit: login can be tried for ever` as a map; this restores the text. */
function pairOf(raw: Raw): string | undefined {
  const [key, value] = raw instanceof Map && raw.size === 1 ? ([...raw][0] as [string, Raw]) : [];
  return value instanceof Plain ? `${key}: ${value.text}` : undefined;
}

/** The text of a value, including values that are not written as text. */
function textFrom(raw: Raw, path: string, { findings }: ReadContext): string | undefined {
  const words = writtenText(raw);
  if (words !== undefined) return words;
  const isList = Array.isArray(raw) && raw.every((item: Raw) => writtenText(item) !== undefined);
  const isScalar = typeof raw === 'number' || typeof raw === 'boolean';
  const text = isList ? raw.map((item: Raw) => writtenText(item)).join('; ') : isScalar ? String(raw) : pairOf(raw);
  if (text !== undefined) findings.deviate('coerced', path, `text written as ${describe(raw)}`);
  return text;
}

/** Redaction can shorten a text, but not one this far beyond its limit. */
const hopeless = 10 * limits.text;

function readText(
  type: FieldType & { type: 'text' },
  raw: Raw,
  path: string,
  context: ReadContext,
): string | undefined {
  const { findings } = context;
  const { warnAbove, maxLength = limits.text } = type;
  const text = textFrom(raw, path, context);
  if (text === undefined) return refuse(type, raw, path, findings);
  const wellFormed = text.toWellFormed().replaceAll('\0', '\uFFFD');
  if (wellFormed !== text) findings.deviate('characters-replaced', path, 'NUL or half a character');
  const safe = text.length > maxLength + hopeless ? text : findings.clean(wellFormed);
  if (safe.length > maxLength) {
    findings.violate('too-long', path, `at most ${warnAbove ?? maxLength} characters`, `${safe.length} characters`);
    return undefined;
  }
  if (safe.trim() === '') {
    findings.violate('empty', path, expectation(type), 'empty text');
    return undefined;
  }
  if (warnAbove !== undefined && safe.length > warnAbove) {
    findings.deviate('summary-long', path, `${safe.length} characters, expected at most ${warnAbove}`);
  }
  return safe;
}

export function refuse(type: FieldType, raw: Raw, path: string, findings: Findings): undefined {
  findings.violate('wrong-type', path, expectation(type), describe(raw));
  return undefined;
}

function readPath(
  type: FieldType,
  raw: Raw,
  path: string,
  { findings, folders = [] }: ReadContext,
): string | undefined {
  const written = writtenText(raw)?.replace(/^`(.*)`$/, '$1');
  if (written === undefined) return refuse(type, raw, path, findings);
  const text = folders.map((folder) => wayFrom(folder, written)).find((way) => way !== undefined) ?? written;
  if (text.length > limits.path) {
    findings.violate('too-long', path, `a path of at most ${limits.path} characters`, `${text.length} characters`);
    return undefined;
  }
  const wellFormed = text.toWellFormed();
  const fault = pathFault(wellFormed);
  if (fault !== undefined) {
    findings.violate('path-outside', path, `${expectation(type)}, without ..`, `${written} (${fault})`);
    return undefined;
  }
  const relative = normalPath(findings.clean(wellFormed));
  if (text !== written) findings.deviate('path-absolute', path, `read as ${relative}`);
  return relative;
}

function readId(type: FieldType, raw: Raw, path: string, { findings }: ReadContext): string | undefined {
  const text = writtenText(raw);
  return text !== undefined && delegationIdSchema.safeParse(text).success ? text : refuse(type, raw, path, findings);
}

const flagWords: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false };

function readFlag(type: FieldType, raw: Raw, path: string, { findings, wireFormat }: ReadContext): boolean | undefined {
  if (typeof raw === 'boolean') return raw;
  const word = writtenText(raw)?.toLowerCase();
  if (word === undefined || !Object.hasOwn(flagWords, word)) return refuse(type, raw, path, findings);
  if (wireFormat === 'json') findings.deviate('coerced', path, `a flag written as text: ${word}`);
  return flagWords[word];
}

const numberText = /^[~≈]?\s?([+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,30})(?:\.\d{1,30})?(?:e[+-]?\d{1,3}(?!\w))?)(.{0,80})$/is;

const unit = /^(?:\.|\+|\s?%|\s?\p{L}[\p{L}\s./%_'’-]*)?$/u;
const factor = /^\s?(?:[kKMGB]|thousand|million|billion)\b/;
const outOf = /^(?:\s?\/\s?|\s(?:out )?of\s)(\d{1,9})$/;

/** True when the rest is only a remark. In `3-4`, `0x1F`, `12k`, `1_000` and `2 of 5` it is part of the number. */
function isRemark(rest: string, max: number | undefined): boolean {
  if (/^[.,:]?\d/.test(rest)) return false;
  const total = outOf.exec(rest)?.[1];
  if (total !== undefined) return Number(total) === max;
  const [head = ''] = rest.split(/[(,;:]|\s[-–—=]/, 1);
  return unit.test(head.trimEnd()) && !factor.test(head);
}

/** `23`, `1,234`, `~20`, `23 lines`, `8 (3 slow)`, `7/10` with a maximum of 10: digits, then at most a remark. */
function numberIn(text: string, max: number | undefined): { value: number; rest: string } | undefined {
  const [, digits, rest = ''] = numberText.exec(text) ?? [];
  if (digits === undefined || !isRemark(rest, max)) return undefined;
  return { value: Number(digits.replaceAll(',', '')), rest: rest.trim() };
}

function readNumber(
  type: FieldType & { type: 'number' },
  raw: Raw,
  path: string,
  { findings, wireFormat }: ReadContext,
): number | undefined {
  let value = raw;
  const text = writtenText(raw)?.trim();
  if (text !== undefined) {
    const parsed = numberIn(text, type.max);
    if (parsed === undefined) return refuse(type, raw, path, findings);
    if (parsed.rest !== '' || /^[~≈]|,/.test(text)) findings.deviate('number-with-unit', path, text);
    else if (wireFormat === 'json') findings.deviate('coerced', path, `a number written as text: ${text}`);
    value = parsed.value;
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return refuse(type, raw, path, findings);
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, integer = false } = type;
  // Not -0: JSON has no spelling for it.
  if (value >= min && value <= max && (!integer || Number.isSafeInteger(value))) return value === 0 ? 0 : value;
  findings.violate('out-of-range', path, expectation(type), describe(raw));
  return undefined;
}

function readChoice(
  type: FieldType & { type: 'choice' },
  raw: Raw,
  path: string,
  { findings }: ReadContext,
): string | undefined {
  const word =
    writtenText(raw)?.trim() ?? (typeof raw === 'boolean' || typeof raw === 'number' ? String(raw) : undefined);
  if (word === undefined) return refuse(type, raw, path, findings);
  if (type.of.includes(word)) return word;
  const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '-');
  const wanted = plain(word.slice(0, 100));
  const alias = Object.entries(type.aliases ?? {}).find(([name]) => plain(name) === wanted)?.[1];
  const choice = alias ?? type.of.find((option) => plain(option) === wanted);
  if (choice !== undefined) findings.deviate('spelling', path, `${word} for ${choice}`);
  else findings.violate('not-a-choice', path, expectation(type), describe(raw));
  return choice;
}

function readStatusWord(
  type: FieldType,
  raw: Raw,
  path: string,
  { findings, wireFormat }: ReadContext,
): Status | undefined {
  const word = writtenText(raw)?.trim();
  if (word === undefined) return refuse(type, raw, path, findings);
  const read = readStatus(word, wireFormat);
  if (read === undefined) findings.violate('not-a-choice', path, expectation(type, wireFormat), describe(raw));
  else if (read.foreign) findings.deviate('status-alias', path, word);
  return read?.status;
}

function readProgress(type: FieldType, raw: Raw, path: string, { findings }: ReadContext): Progress | undefined {
  const match = /^(?:phase\s+)?(\d{1,6})\s{0,3}(?:\/|of)\s{0,3}(\d{1,6})$/i.exec(writtenText(raw)?.trim() ?? '');
  if (match === null) return refuse(type, raw, path, findings);
  const progress = { current: Number(match[1]), total: Number(match[2]) };
  if (progress.total >= 1 && progress.current <= progress.total) return progress;
  findings.violate('out-of-range', path, 'number/total with number at most total', describe(raw));
  return undefined;
}

export type ScalarType = Exclude<FieldType, { type: 'list' } | { type: 'record' }>;

export function readScalar(type: ScalarType, raw: Raw, path: string, context: ReadContext): unknown {
  switch (type.type) {
    case 'text':
      return readText(type, raw, path, context);
    case 'path':
      return readPath(type, raw, path, context);
    case 'id':
      return readId(type, raw, path, context);
    case 'status':
      return readStatusWord(type, raw, path, context);
    case 'flag':
      return readFlag(type, raw, path, context);
    case 'number':
      return readNumber(type, raw, path, context);
    case 'choice':
      return readChoice(type, raw, path, context);
    case 'progress':
      return readProgress(type, raw, path, context);
    default:
      return type satisfies never;
  }
}
