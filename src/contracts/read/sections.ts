/**
 * Sections: reads and writes the body of a report. A section is the text of its field, its bullets the items of a list.
 *
 * Escapes lines that would be structure with a backslash, as markdown does.
 */
import { type Field, type Fields, limits } from '../field.ts';
import type { Findings } from '../finding.ts';
import { headingName } from '../wire/report.ts';
import { type WireReturn, Plain, type Raw, type RawMap, saysNone } from '../wire/raw.ts';

const structural = /^([ \t]*)(\\*[#`~>*+-])/;
/** A heading within a section starts an item, like a bullet. */
const bullet = /^(?:[-*+]|\d{1,4}[.)]|#{1,6})[ \t]+/;

function escapeBody(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(structural, '$1\\$2'))
    .join('\n');
}

function unescapeBody(text: string): string {
  return text.includes('\\') ? text.replace(/(?<![^\n])([ \t]*)\\(\\*[#`~>*+-])/g, '$1$2') : text;
}

/** Bullets if there are any, otherwise paragraphs. */
function itemsOf(text: string): Raw[] {
  if (saysNone(text)) return [];
  const items: string[][] = [];
  let bulleted = false;
  for (const line of text.split('\n')) {
    const mark = bullet.exec(line)?.[0];
    if (mark !== undefined) {
      bulleted = true;
      items.push([line.slice(mark.length)]);
    } else if (items.length === 0 || (!bulleted && line.trim() === '')) items.push([line]);
    else items.at(-1)?.push(line.replace(/^ {1,2}/, ''));
  }
  const texts = items.map((lines) => unescapeBody(lines.join('\n')).trim());
  return texts.filter((item) => item !== '' && !saysNone(item));
}

function sectionValue(field: Field, text: string): Raw {
  if (field.type === 'list') return itemsOf(text);
  return field.type === 'text' ? unescapeBody(text) : new Plain(unescapeBody(text));
}

/** The section for a text or a list; undefined when reading it would not restore exactly that. */
export function writeSection(words: string | readonly string[]): string | undefined {
  if (words.length === 0) return 'None.';
  const isText = typeof words === 'string';
  const text = isText
    ? escapeBody(words)
    : words.map((item) => `- ${escapeBody(item).split('\n').join('\n  ')}`).join('\n');
  if (text.includes('\r')) return undefined;
  const back = isText ? [unescapeBody(text.trim())] : itemsOf(text.trim());
  const given = isText ? [words] : words;
  return back.length === given.length && given.every((item, at) => item === back[at]) ? text : undefined;
}

/** Ends at the first full stop, question or exclamation mark before a blank, or with its paragraph. */
function firstSentence(text: string): string {
  const [paragraph = ''] = text.trimStart().split(/\n[ \t]*\n/, 1);
  const end = paragraph.search(/[.!?](?=\s)/);
  const sentence = end === -1 ? paragraph.trimEnd() : paragraph.slice(0, end + 1);
  const { summaryGood } = limits;
  return sentence.length <= summaryGood ? sentence : `${sentence.slice(0, summaryGood - 1).toWellFormed()}…`;
}

/** People write more than a summary under that heading: its first sentence is the summary then. */
function summaryOf(name: string, text: string, findings: Findings): string {
  if (text.length <= limits.summaryMax) return text;
  // Redacts before cutting. A sentence is far shorter than this, and so is a secret in it.
  const safe = findings.clean(text.slice(0, 2 * limits.text));
  if (safe.length <= limits.summaryMax) return safe;
  findings.deviate('summary-long', name, `${text.length} characters; the summary is the first sentence`);
  return firstSentence(safe);
}

function bodyValue(name: string, field: Field, text: string, findings: Findings): Raw {
  const value = sectionValue(field, text);
  return field.is === 'summary' && typeof value === 'string' ? summaryOf(name, value, findings) : value;
}

/** The values of a return, with the fields from the body added. */
export function withSections(fields: Fields, { values, sections }: WireReturn, findings: Findings): RawMap {
  if (sections.size === 0) return values;
  const all = new Map(values);
  for (const [name, field] of Object.entries(fields)) {
    if (all.has(name)) continue;
    const text = sections.get(headingName(field.section ?? name.replaceAll('_', ' ')));
    const opening = field.is === 'summary' ? sections.get('') : undefined;
    if (text !== undefined) all.set(name, bodyValue(name, field, text, findings));
    else if (opening !== undefined && opening !== '') {
      findings.deviate('misplaced-field', name, 'taken from the text before the first heading');
      all.set(name, bodyValue(name, field, opening, findings));
    }
  }
  return all;
}
