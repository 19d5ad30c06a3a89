/**
 * `[a, "b, c", f(x, y), [d, e]]` → four items: commas inside quotes, brackets or nested lists do not separate.
 *
 * One pass. Brackets that do not pair up would swallow every comma after them, so then they are ignored and only
 * quotes protect.
 */
import { Plain, type Raw } from './raw.ts';

const special = /["'[\](){},]/g;

function itemOf(text: string): Raw | undefined {
  const trimmed = text.trim();
  return trimmed === '' ? undefined : inlineValue(trimmed);
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charAt(at - 1 - slashes) === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** Where the quote opened at `at` closes, or -1: one may stand within as `\"`, the other as `''`. */
function closing(text: string, at: number): number {
  const quote = text.charAt(at);
  let end = text.indexOf(quote, at + 1);
  while (end >= 0 && (quote === '"' ? isEscaped(text, end) : text.charAt(end + 1) === quote)) {
    end = text.indexOf(quote, end + (quote === '"' ? 1 : 2));
  }
  return end;
}

function firstVisible(text: string, from: number): number {
  const visible = /\S/g;
  visible.lastIndex = from;
  return visible.exec(text)?.index ?? text.length;
}

function split(text: string, respectBrackets: boolean): { items: Raw[]; balanced: boolean } {
  const items: Raw[] = [];
  let start = 0;
  let first = firstVisible(text, 0);
  let depth = 0;
  let balanced = true;
  // Once a kind of quote has no partner, no later one has either: looking again each time would take quadratic time.
  const lonely = new Set<string>();
  special.lastIndex = 0;
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const character = match[0];
    if (character === '"' || character === "'") {
      const isApostrophe = character === "'" && match.index !== first;
      if (isApostrophe || lonely.has(character)) continue;
      const end = closing(text, match.index);
      if (end >= 0) special.lastIndex = end + 1;
      else lonely.add(character);
    } else if (character === ',') {
      if (depth > 0) continue;
      const item = itemOf(text.slice(start, match.index));
      if (item !== undefined) items.push(item);
      start = match.index + 1;
      first = firstVisible(text, start);
    } else if (respectBrackets) {
      depth += '[({'.includes(character) ? 1 : -1;
      if (depth < 0) balanced = false;
      depth = Math.max(depth, 0);
    }
  }
  const last = itemOf(text.slice(start));
  if (last !== undefined) items.push(last);
  return { items, balanced: balanced && depth === 0 };
}

/** The items of a list written on one line, without its outer brackets. */
export function splitList(inner: string): Raw[] {
  const careful = split(inner, true);
  return careful.balanced ? careful.items : split(inner, false).items;
}

/** A value written after `key:` – quoted text is literal, everything else waits for its field's type. */
export function inlineValue(text: string): Raw {
  const value = text.trim();
  if (value.length >= 2 && value.startsWith('"') && value.endsWith('"')) {
    try {
      return JSON.parse(value) as string;
    } catch {
      // Not one JSON string after all ("a" and "b"): the quotes are part of the text.
      return new Plain(value);
    }
  }
  if (value.length >= 2 && value.startsWith("'") && value.endsWith("'")) {
    const inner = value.slice(1, -1);
    if (!inner.replaceAll("''", '').includes("'")) return inner.replaceAll("''", "'");
  }
  return new Plain(value);
}
