/** Escape: makes agents' text safe for where it is shown. It can neither end its element nor look like another line. */
import { unsafe } from '../../base/text.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** For an XML attribute or element. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** The longest prefix that, once escaped, has at most `room` characters, with `…` where it was cut. */
export function fit(text: string, room: number, escape: (text: string) => string): string {
  const whole = escape(text);
  if (whole.length <= room) return whole;
  let used = 1;
  let fitting = '';
  for (const character of text) {
    const escaped = escape(character);
    if (used + escaped.length > room) break;
    used += escaped.length;
    fitting += escaped;
  }
  return room < 1 ? '' : `${fitting}…`;
}

const asEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON with terminal control characters escaped; it parses to the same value. */
export function terminalJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(unsafe, asEscape);
}

/** The same on one line, for streams. */
export function terminalJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(unsafe, asEscape);
}

/** Multi-line text with terminal control characters escaped; a lone carriage return would hide the text before it. */
export function terminalText(text: string): string {
  return text.replace(unsafe, asEscape).replace(/\r(?!\n)/g, asEscape);
}
