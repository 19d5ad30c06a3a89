/**
 * `key: value` lines as agents really write them: the body of a block, or frontmatter that is not valid YAML.
 *
 * A value goes on over the lines that follow until the next key. A line begins a key when it is not indented and names
 * a field of the contract, or looks like an identifier. It may be a bullet if the first key is one: below a key without a
 * bullet, bullets are its items. Records below a key are read as YAML.
 */
import type { Findings } from '../finding.ts';
import { limits } from '../field.ts';
import { Plain, type Raw, type RawMap } from './raw.ts';
import { inlineValue } from './split-list.ts';
import { readYaml } from './yaml.ts';

const keyLine = /^([-*]\s+)?(?:\*\*|`)?([A-Za-z_][\w .-]{0,63}?)(?:\*\*|`)?\s?:(?:\*\*)?(.*)$/s;
const identifier = /^_*[a-z][a-z0-9]*(?:_+[a-z0-9]+)*_*$/;
const bullet = /^(?:[-*+]|\d{1,4}[.)])[ \t]+/;
const blockScalar = /^[|>][+-]?$/;

interface Entry {
  readonly key: string;
  readonly bulleted: boolean;
  readonly first: string;
  readonly rest: string[];
}

/** `Phase Complete`, `phase-complete`, `phaseComplete` and `PHASE_COMPLETE` all name `phase_complete`. */
export function fieldName(written: string): string {
  const words = written.trim().replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return words.toLowerCase().replace(/[ .-]+/g, '_');
}

function dedent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const common = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  return lines.map((line) => line.slice(Math.min(common, line.length - line.trimStart().length)));
}

function withoutEdges(lines: readonly string[]): string[] {
  let start = 0;
  let end = lines.length;
  while (start < end && (lines[start] as string).trim() === '') start += 1;
  while (end > start && (lines[end - 1] as string).trim() === '') end -= 1;
  return lines.slice(start, end);
}

function splitEntries(lines: readonly string[], known: ReadonlySet<string>, findings: Findings): Entry[] {
  const entries: Entry[] = [];
  for (const line of dedent(lines)) {
    const match = /^\s/.test(line) ? null : keyLine.exec(line.trimEnd());
    const written = match?.[2] ?? '';
    const value = match?.[3] ?? '';
    const bulleted = match?.[1] !== undefined;
    const key = known.has(written) ? written : fieldName(written);
    const isKey = known.has(key) || (identifier.test(written) && /^(?:\s|$)/.test(value));
    if (match !== null && isKey && (entries[0]?.bulleted ?? bulleted) === bulleted) {
      if (key !== written || /^[-*`]/.test(line)) findings.deviate('key-spelling', key, line.slice(0, 40));
      entries.push({ key, bulleted, first: value.trim(), rest: [] });
    } else {
      entries.at(-1)?.rest.push(line);
    }
  }
  return entries;
}

/** A text per bullet, with the lines that go on with it; undefined where there is anything else. */
function bulletItems(lines: readonly string[]): string[] | undefined {
  const items: string[][] = [];
  for (const line of lines) {
    const mark = bullet.exec(line)?.[0];
    if (mark !== undefined) items.push([line.slice(mark.length)]);
    else if (items.length > 0 && /^(?:\s|$)/.test(line)) items.at(-1)?.push(line.trim());
    else return undefined;
  }
  return items.map((item) => item.join(' ').trim());
}

const structure = /^(?:[\w"'-]{1,64}\s?:(?:\s|$)|[|>][+-]?(?:\s|$)|[-*+]\s)/;

/** YAML only for what needs it: to YAML `#12` is a comment, `* a` an alias and `- "a" and b` an error. */
function nested(lines: readonly string[]): Raw {
  const dedented = dedent(lines);
  const items = bulletItems(dedented);
  const texts = items?.map((item) => inlineValue(item));
  if (texts !== undefined && items?.some((item) => structure.test(item)) === false) return texts;
  const text = dedented.join('\n');
  const yaml = text.length <= limits.frontmatter ? readYaml(text) : undefined;
  if (yaml?.ok === true && !(yaml.value instanceof Plain)) return yaml.value;
  return texts ?? new Plain(text);
}

function valueOf({ first, rest }: Entry): Raw {
  const lines = withoutEdges(rest);
  if (lines.length === 0) return inlineValue(first);
  if (blockScalar.test(first)) return dedent(lines).join('\n');
  if (first === '') return nested(lines);
  // A list or record that was opened on the key's line goes on until its bracket closes.
  if (/^[[{]/.test(first)) return inlineValue([first, ...lines.map((line) => line.trim())].join(' '));
  return new Plain([first, ...lines.map((line) => line.trim())].join('\n'));
}

export function readEntries(text: string, known: ReadonlySet<string>, findings: Findings): RawMap {
  const values = new Map<string, Raw>();
  for (const entry of splitEntries(text.split('\n'), known, findings)) {
    if (values.has(entry.key)) findings.deviate('duplicate-key', entry.key, 'the last one counts');
    values.set(entry.key, valueOf(entry));
  }
  return values;
}
