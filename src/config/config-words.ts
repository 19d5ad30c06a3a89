/** Pieces that several parts of the config are made of. */
import * as z from 'zod/mini';
import { normalPath, pathFault } from '../base/paths.ts';

export const text = z.string().check(z.minLength(1, 'a word or a path'));

/** Words of a command line; never given to a shell. */
export const commandLine = z
  .array(text, 'a list of words, such as [node, worker.mjs]')
  .check(z.minLength(1, 'at least one word'));

/** A variable of the environment, or all that begin alike. */
export const variable = z
  .string()
  .check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, 'the name of a variable, or its beginning and *'));

/** A file or a folder. */
export const path = z.string('a path inside the project').check(
  z.refine((value) => pathFault(value) === undefined, 'a path inside the project'),
  z.refine((value) => !/[*?[\]{}]/.test(value), 'a file or a folder, not a pattern'),
  z.overwrite((value) => (pathFault(value) === undefined ? normalPath(value) : value)),
);
