/** Reads a person's request as features: names between commas, a numbered list, bullets, or one feature in free text. */
import { divisiError } from '../../base/error.ts';
import { oneLine, unquoted } from '../../base/text.ts';
import { slugOf } from '../../todo/slug.ts';
import type { Feature } from '../event/workflow.ts';

const mostFeatures = 20;
const mostText = 4000;
const mostTitle = 80;

/** Throws USAGE for no feature, too many, or one that is too long for a prompt. */
export function readFeatures(text: string): Feature[] {
  const items = itemsOf(unquoted(text.replaceAll('\r\n', '\n'))).map(unquoted);
  checkCount(items.length);
  const taken = new Set<string>();
  return items.map((item, at) => {
    const title = titleOf(item);
    if (item.length > mostText) {
      throw usage(`“${title}” has ${item.length} characters`, `at most ${mostText} for each feature`);
    }
    return { slug: freeSlug(title, at + 1, taken), title, text: item };
  });
}

/** Throws USAGE for no feature or too many. */
export function checkCount(features: number): void {
  if (features === 0) throw usage('no feature given', 'at least one feature');
  if (features <= mostFeatures) return;
  throw usage(`${features} features are too many for one run`, `at most ${mostFeatures}`);
}

function usage(message: string, expected: string): Error {
  return divisiError('USAGE', {
    message,
    expected,
    next: 'Give names between commas, a numbered list, or one feature in your own words: `divisi feature "auth, payments"`. Put long descriptions in a project file and name it in the text.',
  });
}

function itemsOf(text: string): string[] {
  if (text === '') return [];
  return listed(text, numbered) ?? listed(text, bulleted) ?? betweenCommas(text) ?? [text];
}

const numbered = /^ {0,3}\d{1,3}[.)][ \t]+(?=\S)/;
const bulleted = /^ {0,3}[-*+•][ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)/;
/** Lines allowed above a list: empty ones, headings and introductions. */
const isAbove = (line: string): boolean => line.trim() === '' || line.startsWith('#') || /:\s*$/.test(line);

/** Undefined if the text is not such a list. The lines below an item belong to it. */
function listed(text: string, item: RegExp): string[] | undefined {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => item.test(line));
  if (first === -1 || !lines.slice(0, first).every(isAbove)) return undefined;
  const items: string[][] = [];
  for (const line of lines.slice(first)) {
    if (item.test(line)) items.push([line.replace(item, '')]);
    else items.at(-1)?.push(line);
  }
  return items.map((own) => own.join('\n').trim());
}

/** Words that continue a sentence after a comma. */
const continuesSentence =
  /^(?:with|for|so|but|or|that|which|who|including|using|in|on|to|by|as|if|when|where|while|because|not|also|then|plus)\b/i;

/** Accepts only short names: a sentence with commas in it is one feature. */
function betweenCommas(text: string): string[] | undefined {
  if (text.includes('\n') || !text.includes(',')) return undefined;
  const parts = text
    .split(',')
    .map((part, at, all) => (at === all.length - 1 ? part.trim().replace(/^and\s+/i, '') : part.trim()))
    .filter((part) => part !== '');
  const isName = (part: string): boolean =>
    part.split(/\s+/).length <= 5 &&
    part.length <= 60 &&
    !/[.!?;:]\s|[!?;]$/.test(part) &&
    !continuesSentence.test(part);
  return parts.every(isName) ? parts : undefined;
}

/** `Auth: log in with a link` gets the title Auth. */
function titleOf(item: string): string {
  const [first = ''] = item.split('\n', 1);
  const plain = first.replaceAll(/\*\*|__|`/g, '').replace(/[.:]\s*$/, '');
  const [name = ''] = plain.split(/: | [–—-] /, 1);
  return oneLine(name.trim() === '' ? plain : name, mostTitle);
}

/** A title without usable letters gets a number: `feature-2`. */
export function freeSlug(title: string, place: number, taken: Set<string>): string {
  const slug = slugOf(title, `feature-${place}`).replaceAll('_', '-');
  let free = slug;
  for (let number = 2; taken.has(free); number += 1) free = `${slug}-${number}`;
  taken.add(free);
  return free;
}
