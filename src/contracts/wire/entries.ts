/**
 * Entries: reads `key: value` lines as agents write them, in a block or in frontmatter that is not valid YAML.
 *
 * A value continues until the next key. A key line is not indented, and names a field of the contract or looks like an
 * identifier. Keys may be bullets if the first one is; below a key without a bullet, bullets are its items. Records are read
 * as YAML.
 */
import { limits } from '../field.ts';
import type { Findings } from '../finding.ts';
import { Plain, type Raw, type RawMap } from './raw.ts';
import { inlineValue } from './split-list.ts';
import { readYaml } from './yaml.ts';

/** The text before the first colon of a key line. */
const keyHead = /^([-*]\s+)?(?:\*\*|`)?([A-Za-z_][\w .-]{0,63}?)(?:\*\*|`)?\s?$/;
const identifier = /^_*[a-z][a-z0-9]*(?:_+[a-z0-9]+)*_*$/;
const bullet = /^(?:[-*+]|\d{1,4}[.)])[ \t]+/;
const blockScalar = /^[|>][+-]?$/;

interface Entry {
  readonly key: string;
  readonly bulleted: boolean;
  readonly first: string;
  /** Its line, without the line end. */
  readonly start: number;
  readonly end: number;
}

/** `Phase Complete`, `phase-complete`, `phaseComplete` and `PHASE_COMPLETE` all name `phase_complete`. */
export function fieldName(written: string): string {
  if (/^[a-z0-9_]+$/.test(written)) return written;
  const words = written.trim().replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return words.toLowerCase().replace(/[ .-]+/g, '_');
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Removes the indentation all lines share. Most texts have none and are not taken apart. */
function dedent(text: string): string {
  if (/(?:^|\n)\S/.test(text)) return text;
  const lines = text.split('\n');
  let common = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const indent = indentOf(line);
    if (indent < line.length) common = Math.min(common, indent);
  }
  return lines.map((line) => line.slice(Math.min(common, indentOf(line)))).join('\n');
}

/** Without blank lines at both ends. */
function withoutEdges(text: string): string {
  const last = text.indexOf('\n', text.trimEnd().length);
  const whole = last < 0 ? text : text.slice(0, last);
  return whole.slice(whole.lastIndexOf('\n', indentOf(whole)) + 1);
}

function trimLines(text: string): string {
  const needsIt = /[^\S\n]\n|\n[^\S\n]/.test(text);
  return (
    needsIt
      ? text
          .split('\n')
          .map((line) => line.trim())
          .join('\n')
      : text
  ).trim();
}

/** Jumps from colon to colon: a line without one is not a key, and a text may have a million of those. */
function findEntries(text: string, known: ReadonlySet<string>, findings: Findings): Entry[] {
  const entries: Entry[] = [];
  for (let colon = text.indexOf(':'), end = 0; colon >= 0; colon = text.indexOf(':', end)) {
    const start = text.lastIndexOf('\n', colon) + 1;
    const newline = text.indexOf('\n', colon);
    end = newline < 0 ? text.length : newline;
    const match = keyHead.exec(text.slice(start, colon));
    if (match === null) continue;
    const written = match[2] ?? '';
    const bulleted = match[1] !== undefined;
    const value = text.slice(text.startsWith('**', colon + 1) ? colon + 3 : colon + 1, end);
    const isIdentifier = identifier.test(written);
    const key = isIdentifier || known.has(written) ? written : fieldName(written);
    const isKey = known.has(key) || (isIdentifier && /^(?:\s|$)/.test(value));
    if (!isKey || (entries[0]?.bulleted ?? bulleted) !== bulleted) continue;
    if (key !== written || /^[-*`]/.test(match[0]))
      findings.deviate('key-spelling', key, text.slice(start, Math.min(end, start + 40)));
    entries.push({ key, bulleted, first: value.trim(), start, end });
  }
  return entries;
}

/** One text per bullet, with its continuation lines; undefined if there is anything else. */
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

/** Uses YAML only when needed: in YAML `#12` is a comment, `* a` an alias and `- "a" and b` an error. */
function nested(rest: string): Raw {
  const text = dedent(rest);
  const items = bulletItems(text.split('\n'));
  const texts = items?.map((item) => inlineValue(item));
  if (texts !== undefined && items?.some((item) => structure.test(item)) === false) return texts;
  const yaml = text.length <= limits.frontmatter ? readYaml(text) : undefined;
  if (yaml?.ok === true && !(yaml.value instanceof Plain)) return yaml.value;
  return texts ?? new Plain(text);
}

/** `rest` is the text between the key's line and the next key. */
function valueOf(first: string, rest: string): Raw {
  if (rest.trim() === '') return inlineValue(first);
  const text = withoutEdges(rest);
  if (blockScalar.test(first)) return dedent(text);
  if (first === '') return nested(text);
  // A list or record that opens on the key's line continues until its bracket closes.
  if (/^[[{]/.test(first)) return inlineValue(`${first} ${trimLines(text).replaceAll('\n', ' ')}`);
  return new Plain(`${first}\n${trimLines(text)}`);
}

export function readEntries(body: string, known: ReadonlySet<string>, findings: Findings): RawMap {
  const text = dedent(body);
  const entries = findEntries(text, known, findings);
  const last = new Map<string, number>();
  entries.forEach(({ key }, at) => {
    if (last.has(key)) findings.deviate('duplicate-key', key, 'the last one is used');
    last.set(key, at);
  });
  const restOf = (at: number): string => text.slice(entries[at]?.end, entries[at + 1]?.start);
  return new Map(last.entries().map(([key, at]) => [key, valueOf(entries[at]?.first ?? '', restOf(at))]));
}
