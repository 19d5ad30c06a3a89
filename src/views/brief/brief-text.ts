/** Brief text: makes others' words safe for a context, and fits lines into a budget. Pure. */
import { redactedLine } from '../../base/text.ts';
import { escapeXml, fit } from '../text/escape.ts';

/** At most `most` characters, for an XML attribute or element. */
export function xmlText(text: string, most: number): string {
  return fit(redactedLine(text), most, escapeXml);
}

/** At most `most` characters, for plain text. */
export function plainText(text: string, most: number): string {
  return fit(redactedLine(text), most, (one) => one);
}

export interface FittedLines {
  readonly head: string;
  readonly lines: readonly string[];
  /** The line that counts the lines left out. */
  readonly more: (left: number) => string;
  readonly end: string;
  /** In characters. */
  readonly budget: number;
}

/** Shows lines in their order until one does not fit; the rest is counted. */
export function fitLines({ head, lines, more, end, budget }: FittedLines): string {
  const room = budget - more(1_000_000).length - 1 - end.length;
  let text = head;
  let shown = 0;
  for (const line of lines) {
    if (text.length + 1 + line.length > room) break;
    text += `\n${line}`;
    shown += 1;
  }
  const left = lines.length - shown;
  return `${text}${left === 0 ? '' : `\n${more(left)}`}${end}`;
}
