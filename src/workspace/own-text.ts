/** The text of a file that a project has for us: a small regular file that lies in the project, whatever links lead to it. */
import { locate } from './project-path.ts';
import { readRegularFile } from './regular-file.ts';

/** The first of these that holds is why there is no text. A file that cannot be opened throws the system's error. */
export type OwnText =
  | { readonly text: string }
  | { readonly fault: 'missing' | 'it is a symlink that leads out of the project' | 'it is not UTF-8 text' };

/** `file` is relative to the project. More than `mostBytes` is an error, like everything that is no file. */
export async function readOwnText(project: string, file: string, mostBytes: number): Promise<OwnText> {
  const place = await locate(project, file);
  if (place.found === 'missing') return { fault: 'missing' };
  if (place.found === 'outside') return { fault: 'it is a symlink that leads out of the project' };
  const bytes = await readRegularFile(place.path, mostBytes);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { fault: 'it is not UTF-8 text' };
  }
}
