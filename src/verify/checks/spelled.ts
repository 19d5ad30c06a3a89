/** Gives a path one spelling: agents write `./a`, and some file systems decompose accented letters. */
import { normalPath } from '../../base/paths.ts';

export function spelled(path: string): string {
  return hasOtherSpelling.test(path) ? normalPath(path).normalize('NFC') : path;
}

/** A cheap test first: few paths need it, and there may be thousands. */
const hasOtherSpelling = /^$|^\.\/|\/(?:\/|\.\/|\.?$)|[^ -~]/;
