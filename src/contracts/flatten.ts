/** Text somebody else wrote, on one line and without the characters that steer whoever shows it. */

/**
 * Characters that change how text around them is read: controls, line separators, and the marks that reverse direction.
 * Half characters and the two code points XML forbids go as well.
 */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
export const unsafe = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** One line of harmless text. */
export function flatten(text: string): string {
  return text.toWellFormed().replace(unsafe, ' ').replace(/\s+/g, ' ').trim();
}
