/**
 * Report format: YAML frontmatter between `---` lines, then a markdown body in `## Sections`.
 *
 * Reads frontmatter that is not valid YAML line by line. Refuses aliases, anchors and tags. A report in a code fence is used
 * only if there is none outside.
 */
import { limits } from '../field.ts';
import type { Findings } from '../finding.ts';
import { fieldName, readEntries } from './entries.ts';
import { type Fence, fencesIn, insideOf, spanAt } from './fences.ts';
import type { WireReturn, RawMap } from './raw.ts';
import { isMap, readYaml } from './yaml.ts';

interface Parts {
  readonly frontmatter: string;
  readonly body: string;
  readonly terminated: boolean;
}

/** Lookaround instead of the m flag: `^` and `$` would also match beside U+2028, which does not end a line here. */
const opening = /(?<![^\n])---[ \t]*\n(?=[ \t]*["'A-Za-z#])/g;
const closing = /(?<![^\n])(?:---|\.\.\.)[ \t]*(?![^\n])/g;
/** Blanks before the colon are part of the key: a long run of them would otherwise be read once per character. */
const keys = /(?<![^\n])["'*`]*([A-Za-z][\w .\t-]{0,63})["'*`]*[ \t]?:/g;
/** For contracts whose fields are all sections. */
const emptyFrontmatter = /^\s*---[ \t]*\n(?=---[ \t]*(?:\n|$))/;

function findFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

interface Opening {
  readonly index: number;
  /** The start of the frontmatter. */
  readonly start: number;
  readonly fence: Fence | undefined;
  readonly namesField: boolean;
}

function namesField(front: string, known: ReadonlySet<string>): boolean {
  for (let match = findFrom(keys, front, 0); match !== null; match = findFrom(keys, front, keys.lastIndex)) {
    const key = match[1] ?? '';
    if (known.has(key) || known.has(fieldName(key))) return true;
  }
  return false;
}

/** Prose has `---` lines too: uses the first one followed by a field, preferably outside code fences. */
function choose(text: string, known: ReadonlySet<string>): Opening | undefined {
  const empty = emptyFrontmatter.exec(text);
  if (empty !== null) return { index: 0, start: empty[0].length, fence: undefined, namesField: false };
  const fenceAt = spanAt(fencesIn(text));
  let named: Opening | undefined;
  let outside: Opening | undefined;
  let first: Opening | undefined;
  for (let match = findFrom(opening, text, 0); match !== null; match = findFrom(opening, text, opening.lastIndex)) {
    const start = opening.lastIndex;
    const end = findFrom(closing, text, start)?.index ?? text.length;
    const front = text.slice(start, Math.min(end, start + limits.frontmatter));
    const open = { index: match.index, start, fence: fenceAt(match.index), namesField: namesField(front, known) };
    if (open.namesField && open.fence === undefined) return open;
    if (open.namesField) named ??= open;
    if (open.fence === undefined) outside ??= open;
    first ??= open;
    opening.lastIndex = Math.max(start, end);
  }
  return named ?? outside ?? first;
}

function partsOf(text: string, start: number): Parts {
  const close = findFrom(closing, text, start);
  if (close === null) return { frontmatter: text.slice(start), body: '', terminated: false };
  const body = text.slice(close.index + close[0].length);
  return { frontmatter: text.slice(start, close.index), body, terminated: true };
}

/** The end of the fence around a report: its last mark, because the report may contain fences. */
function fenceEnd(text: string, { start }: Fence): number {
  const mark = /`{3,}|~{3,}/.exec(text.slice(start, start + 100))?.[0] ?? '';
  const close = text.lastIndexOf(`\n${mark}`);
  return close <= start ? text.length : close;
}

interface Heading {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A deeper heading belongs to the section around it, unless it is a field's. */
function headingsIn(body: string, known: ReadonlySet<string>): Heading[] {
  const inFence = insideOf(fencesIn(body));
  const all: Heading[] = [];
  let level = Number.POSITIVE_INFINITY;
  for (const match of body.matchAll(/(?<![^\n])(#{1,6})[ \t]+([^\n]*)/g)) {
    const [line, marks = '', written = ''] = match;
    const name = headingName(written);
    if (inFence(match.index) || (marks.length > level && !known.has(name))) continue;
    level = marks.length;
    all.push({ name, start: match.index, end: match.index + line.length });
  }
  return all;
}

/** Sections by lower-case heading; text before the first heading is under the empty name. */
function sectionsOf(body: string, known: ReadonlySet<string>, findings: Findings): Map<string, string> {
  const headings = headingsIn(body, known);
  const sections = new Map([['', body.slice(0, headings[0]?.start ?? body.length).trim()]]);
  headings.forEach(({ name, end }, at) => {
    if (!sections.has(name)) sections.set(name, body.slice(end, headings[at + 1]?.start ?? body.length).trim());
    else if (known.has(name)) findings.deviate('duplicate-key', name, 'the first section is used');
  });
  return sections;
}

function readFrontmatter(text: string, known: ReadonlySet<string>, findings: Findings): RawMap {
  if (text.trim() === '') return new Map();
  const yaml = readYaml(text);
  if (yaml.ok && isMap(yaml.value)) {
    for (const path of yaml.duplicates) findings.deviate('duplicate-key', path, 'the last one is used');
    return yaml.value;
  }
  if (!yaml.ok && yaml.refused) {
    findings.violate(
      'yaml-refused',
      '',
      'plain YAML without anchors, aliases, tags or directives',
      `${yaml.reason} (line ${yaml.line})`,
    );
    return new Map();
  }
  findings.deviate('yaml-salvaged', '', yaml.ok ? 'not a mapping' : `${yaml.reason} (line ${yaml.line})`);
  return readEntries(text, known, findings);
}

export function findReport(
  text: string,
  known: ReadonlySet<string>,
  headings: ReadonlySet<string>,
  findings: Findings,
): WireReturn | undefined {
  if (!text.includes('---')) return undefined;
  const open = choose(text, known);
  if (open === undefined) return undefined;
  const { frontmatter, body, terminated } = partsOf(
    open.fence === undefined ? text : text.slice(0, fenceEnd(text, open.fence)),
    open.start,
  );
  // A horizontal rule in prose.
  if (!terminated && !open.namesField) return undefined;
  if (open.fence !== undefined) findings.deviate('fence-around', '', 'the report is in a code fence');
  const found = (values: RawMap): WireReturn => {
    const refused = open.namesField && values.size === 0;
    return { wireFormat: 'report', values, sections: sectionsOf(body, headings, findings), refused };
  };
  if (text.slice(0, open.fence?.start ?? open.index).trim() !== '')
    findings.deviate('text-around', '', 'text before the frontmatter');
  if (frontmatter.length > limits.frontmatter) {
    const size = `${frontmatter.length} characters`;
    findings.violate('frontmatter-too-large', '', `frontmatter of at most ${limits.frontmatter} characters`, size);
    return found(new Map());
  }
  if (!terminated)
    findings.violate('frontmatter-unterminated', '', 'a line --- after the frontmatter', 'the end of the text');
  return found(readFrontmatter(frontmatter, known, findings));
}

/** The lookup key of a heading, in any spelling. */
export function headingName(heading: string): string {
  return heading
    .slice(0, 100)
    .replace(/(?<![#*:\s])[#*:\s]+$/, '')
    .toLowerCase();
}
