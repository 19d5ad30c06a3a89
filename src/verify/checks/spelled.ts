import { normalPath } from '../../base/paths.ts';

/** One spelling for a path: agents write `./a`, and some systems take letters apart from their accents. */
export function spelled(path: string): string {
  return hasOtherSpelling.test(path) ? normalPath(path).normalize('NFC') : path;
}

/** Few have: there are thousands of paths to ask. */
const hasOtherSpelling = /^$|^\.\/|\/(?:\/|\.\/|\.?$)|[^ -~]/;
