/**
 * `[a, "b, c", f(x, y), [d, e]]` → four items: commas inside quotes, brackets or nested lists do not separate.
 *
 * One pass. Brackets that do not pair up would swallow every comma after them, so then they are ignored and only
 * quotes protect.
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

/** Where the quote opened at `at` closes, or -1: one may stand within as `\"`, the other as `''`. */
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
  // Once a kind of quote has no partner, no later one has either: looking again each time would take quadratic time.
  const lonely = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    switch (character) {
      case '"':
      case "'": {
        // Within an item a single one is an apostrophe.
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
