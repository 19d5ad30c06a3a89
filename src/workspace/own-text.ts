/** Reads a small regular file that belongs to the project, whatever symlinks lead to it. */
import { locate } from './project-path.ts';
import { readRegularFile } from './regular-file.ts';

/** Why there is no text; the first reason that applies. A file that cannot be opened throws the system's error. */
export type OwnText =
  | { readonly text: string }
  | { readonly fault: 'missing' | 'it is a symlink out of the project' | 'it is not UTF-8 text' };

/** `file` is relative to the project. More than `mostBytes` is an error, as is anything but a regular file. */
export async function readOwnText(project: string, file: string, mostBytes: number): Promise<OwnText> {
  const place = await locate(project, file);
  if (place.found === 'missing') return { fault: 'missing' };
  if (place.found === 'outside') return { fault: 'it is a symlink out of the project' };
  const bytes = await readRegularFile(place.path, mostBytes);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { fault: 'it is not UTF-8 text' };
  }
}
