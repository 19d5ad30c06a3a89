/** Text an agent wrote, made safe for where it goes. It can neither end its element nor look like another line. */

/**
 * Characters that change how text around them is read: controls, line separators, and the marks that reverse direction.
 * Half characters and the two code points XML forbids go as well.
 */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const unsafe = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** One line of harmless text. */
export function flatten(text: string): string {
  return text.toWellFormed().replace(unsafe, ' ').replace(/\s+/g, ' ').trim();
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** For an XML attribute or element. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** The longest beginning of a text that, once escaped, has at most `room` characters; `…` where something is missing. */
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
