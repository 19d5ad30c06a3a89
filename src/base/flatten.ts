/** Text somebody else wrote, on one line and without the characters that steer whoever shows it. */

/**
 * Characters that change how text around them is read: controls, line separators, and the marks that reverse direction.
 * Half characters and the two code points XML forbids go as well.
 */
export const unsafe = /[[\p{Cc}--[\t\n\r]]\p{Zl}\p{Zp}\p{Bidi_Control}\u{fffe}\u{ffff}]/gv;

/** One line of harmless text. */
export function flatten(text: string): string {
  return text.toWellFormed().replace(unsafe, ' ').replace(/\s+/g, ' ').trim();
}

/** The same, of at most so many characters; `…` where something is missing. */
export function oneLine(text: string, most: number): string {
  const line = flatten(text);
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`;
}
