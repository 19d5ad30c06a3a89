/**
 * Reads one JSON value from untrusted text: strictly if possible, otherwise leniently (lenient-json.ts).
 * Refuses to find the value in prose (find-json.ts does) and to check its shape. Total, iterative, linear in time.
 */
import { type Json, MAX_DEPTH, type ParsedJson, parseLeniently } from './lenient-json.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function parseJson(text: string): ParsedJson {
  const { depth, properties } = outline(text);
  const value = depth > MAX_DEPTH ? undefined : parseStrictly(text);
  if (value === undefined || countProperties(value) !== properties) return parseLeniently(text);
  return { ok: true, value, repairs: [], duplicateKeys: [] };
}

function parseStrictly(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * How deep the text nests, and how many properties JSON.parse must make of it to be believed: one for each colon outside
 * strings, fewer if a key came twice. NaN if a key contains an escape: V8 in Node 24 may then return a different key
 * (nodejs/node#63785). Right for valid JSON; of other text the lenient reader is the judge.
 */
function outline(text: string): { depth: number; properties: number } {
  const mayEscape = text.includes('\\');
  let [depth, deepest, properties, keyStart] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      keyStart = at;
      at = closingQuote(text, at);
    } else if (code === 0x3a) {
      properties += mayEscape && text.slice(keyStart, at).includes('\\') ? Number.NaN : 1;
      keyStart = at;
    } else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return { depth: deepest, properties };
}

/** indexOf rather than a loop: most bytes of a large return are in long strings. */
function closingQuote(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

function countProperties(root: Json): number {
  const pending: Json[] = [root];
  let count = 0;
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const children = Array.isArray(value) ? value : Object.values(value);
    if (children !== value) count += children.length;
    for (const child of children) if (typeof child === 'object' && child !== null) pending.push(child);
  }
  return count;
}
