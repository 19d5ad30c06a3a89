/**
 * Split list: `[a, "b, c", f(x, y), [d, e]]` → four items. Commas inside quotes, brackets or nested lists do not separate.
 *
 * One pass. Unpaired brackets would swallow every comma after them, so they are ignored and only quotes protect.
 */
import { Plain, type Raw } from './raw.ts';

function itemOf(text: string): Raw | undefined {
  const trimmed = text.trim();
  return trimmed === '' ? undefined : inlineValue(trimmed);
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charAt(at - 1 - slashes) === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** The position of the closing quote, or -1; `\"` and `''` are escapes. */
function closing(text: string, at: number): number {
  const quote = text.charAt(at);
  let end = text.indexOf(quote, at + 1);
  while (end >= 0 && (quote === '"' ? isEscaped(text, end) : text.charAt(end + 1) === quote)) {
    end = text.indexOf(quote, end + (quote === '"' ? 1 : 2));
  }
  return end;
}

const visible = /\S/g;

function firstVisible(text: string, from: number): number {
  visible.lastIndex = from;
  return visible.test(text) ? visible.lastIndex - 1 : text.length;
}

function split(text: string, respectBrackets: boolean): { items: Raw[]; balanced: boolean } {
  const items: Raw[] = [];
  let start = 0;
  let first = -1;
  let depth = 0;
  let balanced = true;
  // A kind of quote without a partner has none later either: searching again each time would take quadratic time.
  const lonely = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    switch (character) {
      case '"':
      case "'": {
        // A single quote within an item is an apostrophe.
        if (character === "'" && first < start) first = firstVisible(text, start);
        const opens = (character === '"' || at === first) && !lonely.has(character);
        const end = opens ? closing(text, at) : -1;
        if (end >= 0) at = end;
        else if (opens) lonely.add(character);
        break;
      }
      case ',': {
        const item = depth > 0 || at === start ? undefined : itemOf(text.slice(start, at));
        if (item !== undefined) items.push(item);
        if (depth === 0) start = at + 1;
        break;
      }
      case '[':
      case '(':
      case '{':
        if (respectBrackets) depth += 1;
        break;
      case ']':
      case ')':
      case '}':
        if (depth === 0) balanced = false;
        else depth -= 1;
        break;
      default:
    }
  }
  const last = itemOf(text.slice(start));
  if (last !== undefined) items.push(last);
  return { items, balanced: balanced && depth === 0 };
}

/** The items of a one-line list, without its outer brackets. */
export function splitList(inner: string): Raw[] {
  const careful = split(inner, true);
  return careful.balanced ? careful.items : split(inner, false).items;
}

/** A value after `key:`. Quoted text is literal; the field's type decides about everything else. */
export function inlineValue(text: string): Raw {
  const value = text.trim();
  if (value.length >= 2 && value.startsWith('"') && value.endsWith('"')) {
    // Not a single string ("a" and "b"): the quotes are part of the text. Checked first, because an exception takes microseconds.
    if (closing(value, 0) !== value.length - 1) return new Plain(value);
    try {
      return JSON.parse(value) as string;
    } catch {
      return new Plain(value);
    }
  }
  if (value.length >= 2 && value.startsWith("'") && value.endsWith("'")) {
    const inner = value.slice(1, -1);
    if (!inner.replaceAll("''", '').includes("'")) return inner.replaceAll("''", "'");
  }
  return new Plain(value);
}
