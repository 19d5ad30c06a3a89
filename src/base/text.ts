/** Text: turns untrusted text into one harmless line, optionally shortened and with its secrets redacted. */
import { redact } from './redact.ts';

/**
 * Characters that change how the text around them is displayed, or that a model reads and a person does not see: control characters,
 * line separators, bidirectional marks, tags, and characters without a width. Includes the two code points XML forbids. Joiners stay
 * where scripts and emoji need them: after a mark, an Arabic letter or a pictograph.
 */
export const unsafe =
  // eslint-disable-next-line no-misleading-character-class -- lists characters, none of which belongs to another
  /[[\p{Cc}--[\t\n\r]]\p{Zl}\p{Zp}\p{Bidi_Control}\u{fffe}\u{ffff}[\p{Default_Ignorable_Code_Point}--[\u{200c}\u{200d}\u{fe0e}\u{fe0f}]]]|(?<![\p{M}\p{scx=Arab}])\u{200c}|(?<![\p{M}\p{scx=Arab}\p{Extended_Pictographic}\p{Emoji_Modifier}\u{fe0f}])\u{200d}|(?<![\p{Extended_Pictographic}\p{Emoji}])[\u{fe0e}\u{fe0f}]/gv;

/** One line of harmless text. */
export function flatten(text: string): string {
  return text.toWellFormed().replace(unsafe, ' ').replace(/\s+/g, ' ').trim();
}

/** One harmless line of at most `most` characters; `…` marks the cut. */
export function oneLine(text: string, most: number): string {
  const line = flatten(text);
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`;
}

/** One harmless line without secrets. Redacts first: a cut would hide part of a secret from the patterns. */
export function redactedLine(text: string, most = Number.POSITIVE_INFINITY): string {
  return oneLine(redact(text).text, most);
}

const quotes: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
];

/** Words from a command line without the pair of quotes around all of them, which a client may pass on. */
export function unquoted(words: string): string {
  const text = words.trim();
  const pair = quotes.find(([open, close]) => text.length > 1 && text.startsWith(open) && text.endsWith(close));
  if (pair === undefined) return text;
  const inside = text.slice(1, -1);
  return pair.some((quote) => inside.includes(quote)) ? text : inside.trim();
}
