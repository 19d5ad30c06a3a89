/** Whether a path that an agent names ends inside a folder, followed as the system would follow it. */
import { readlink, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { systemCode } from '../base/error.ts';
import { leadsOut } from '../base/paths.ts';

/** What somebody on the way may take for another path than it is: a home, an address, what is trimmed or cut off. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const ambiguous = /^~|^file:|^[A-Za-z][\w+.-]*:\/\/|[\u0000-\u001f\u007f]|^\s|\s$/i;

export function goesUp(path: string): boolean {
  return path.split('/').includes('..');
}

/**
 * A program takes `..` either from the words of a path or from where its links lead: both must stay inside. With `throughLinks`,
 * what a link of the folder's own leads to counts as inside if it is there and no `..` is about.
 */
export async function leadsInside(directory: string, path: string, throughLinks: boolean): Promise<boolean> {
  if (ambiguous.test(path)) return false;
  try {
    const top = await realpath(directory);
    const words = resolve(directory, path);
    const asWritten = isAbsolute(path) ? path : `${directory}/${path}`;
    const ends = [await endOf(asWritten), await endOf(words)];
    if (ends.every((end) => end !== null && !leadsOut(relative(top, end)))) return true;
    if (!throughLinks || goesUp(path)) return false;
    const isNamedInside = [directory, top].some((folder) => !leadsOut(relative(folder, words)));
    return isNamedInside && (await realpath(words)) !== '';
  } catch {
    // A folder that may not be entered, a name that is too long, a link to nothing: nobody can say where it leads.
    return false;
  }
}

/** As many as the system follows. */
const mostLinks = 40;

/** Where an absolute path ends, whether or not anything is there: what is missing is no link. Null for a circle of links. */
async function endOf(path: string): Promise<string | null> {
  const rest = path.split('/');
  let at = '/';
  let links = 0;
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const next = part === '..' ? dirname(at) : join(at, part);
    const link = await linkAt(next);
    if (link === undefined) {
      at = next;
      continue;
    }
    links += 1;
    if (links > mostLinks) return null;
    rest.unshift(...link.split('/'));
    if (isAbsolute(link)) at = '/';
  }
  return at;
}

/** What a link says; undefined for what is none. */
async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (['EINVAL', 'ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
