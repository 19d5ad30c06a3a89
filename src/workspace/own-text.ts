/** Reads a small regular file that belongs to the project, whatever symlinks lead to it. */
import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { leadsOut } from '../base/paths.ts';
import { isMissing } from './project-path.ts';
import { readRegularFileNow } from './regular-file.ts';

/** Why there is no text; the first reason that applies. A file that cannot be opened throws the system's error. */
export type OwnText =
  | { readonly text: string }
  | { readonly fault: 'missing' | 'it is a symlink out of the project' | 'it is not UTF-8 text' };

/** `file` is relative to the project. More than `mostBytes` is an error, as is anything but a regular file. */
export function readOwnText(project: string, file: string, mostBytes: number): OwnText {
  let top: string;
  let real: string;
  try {
    top = realpathSync(project);
    real = realpathSync(join(top, file));
  } catch (error) {
    if (isMissing(error)) return { fault: 'missing' };
    throw error;
  }
  if (leadsOut(relative(top, real))) return { fault: 'it is a symlink out of the project' };
  const bytes = readRegularFileNow(real, mostBytes);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { fault: 'it is not UTF-8 text' };
  }
}
