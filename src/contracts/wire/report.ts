/**
 * The report format: YAML frontmatter between `---` lines, then a markdown body in `## Sections`.
 *
 * Frontmatter that is not valid YAML is read line by line, as far as that goes. Aliases, anchors and tags are refused:
 * a report is data.
 */
import type { Findings } from '../finding.ts';
import { limits } from '../field.ts';
import { readEntries } from './entries.ts';
import { findFences, insideOf } from './fences.ts';
import type { Found } from './found.ts';
import type { RawMap } from './raw.ts';
import { isMap, readYaml } from './yaml.ts';

interface Parts {
  readonly frontmatter: string;
  readonly body: string;
  readonly terminated: boolean;
}

const opening = /^---[ \t]*\n(?=[ \t]*["'A-Za-z#])/m;

function partsOf(text: string): (Parts & { readonly before: string }) | undefined {
  const open = opening.exec(text);
  if (open === null) return undefined;
  const start = open.index + open[0].length;
  const closing = /^(?:---|\.\.\.)[ \t]*$/gm;
  closing.lastIndex = start;
  const close = closing.exec(text);
  const before = text.slice(0, open.index);
  if (close === null) return { before, frontmatter: text.slice(start), body: '', terminated: false };
  const body = text.slice(close.index + close[0].length);
  return { before, frontmatter: text.slice(start, close.index), body, terminated: true };
}

/** A report handed over inside a fence loses the fence. */
function unfenced(text: string, findings: Findings): string {
  const match = /^\s*(`{3,}|~{3,})[a-z]*[ \t]*\n(?=---)/.exec(text);
  if (match === null) return text;
  findings.deviate('fence-around', '', 'the report stands in a code fence');
  const inner = text.slice(match[0].length);
  const close = inner.lastIndexOf(`\n${match[1] ?? ''}`);
  return close < 0 ? inner : inner.slice(0, close);
}

/** Sections by lower-cased heading; text before the first heading stands under the empty name. */
function sectionsOf(body: string): Map<string, string> {
  const inFence = insideOf(findFences(body));
  const headings = [...body.matchAll(/^#{1,6}[ \t]+([^\n]*)$/gm)].filter((match) => !inFence(match.index));
  const sections = new Map<string, string>();
  sections.set('', body.slice(0, headings[0]?.index ?? body.length).trim());
  headings.forEach((heading, at) => {
    const name = (heading[1] ?? '').slice(0, 100).replace(/[#*:\s]+$/, '').toLowerCase();
    const text = body.slice(heading.index + heading[0].length, headings[at + 1]?.index ?? body.length);
    if (!sections.has(name)) sections.set(name, text.trim());
  });
  return sections;
}

function readFrontmatter(text: string, known: ReadonlySet<string>, findings: Findings): RawMap {
  const yaml = readYaml(text);
  if (yaml.ok && isMap(yaml.value)) {
    for (const path of yaml.duplicates) findings.deviate('duplicate-key', path, 'the last one counts');
    return yaml.value;
  }
  if (!yaml.ok && yaml.refused) {
    findings.violate('yaml-refused', '', 'plain YAML without anchors, aliases, tags or directives', `${yaml.reason} (line ${yaml.line})`);
    return new Map();
  }
  findings.deviate('yaml-salvaged', '', yaml.ok ? 'not a mapping' : `${yaml.reason} (line ${yaml.line})`);
  return readEntries(text, known, findings);
}

export function findReport(text: string, known: ReadonlySet<string>, findings: Findings): Found | undefined {
  if (!text.includes('---')) return undefined;
  const parts = partsOf(unfenced(text, findings));
  if (parts === undefined) return undefined;
  const found = (values: RawMap): Found => ({ wireFormat: 'report', values, sections: sectionsOf(parts.body) });
  if (parts.before.trim() !== '') findings.deviate('text-around', '', 'text before the frontmatter');
  if (parts.frontmatter.length > limits.frontmatter) {
    const size = `${parts.frontmatter.length} characters`;
    findings.violate('frontmatter-too-large', '', `frontmatter of at most ${limits.frontmatter} characters`, size);
    return found(new Map());
  }
  if (!parts.terminated) findings.violate('frontmatter-unterminated', '', 'a line --- after the frontmatter', 'the end of the text');
  return found(readFrontmatter(parts.frontmatter, known, findings));
}
