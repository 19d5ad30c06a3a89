/** Decides whether a path from an agent ends inside a folder. Follows links as the system does. */
import { readlink, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { systemCode } from '../base/error.ts';
import { leadsOut, liesWithin } from '../base/paths.ts';

/** Paths that a program may read as another: a home, a URL, blanks or control characters that get trimmed. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const ambiguous = /^~|^file:|^[A-Za-z][\w+.-]*:\/\/|[\u0000-\u001f\u007f]|^\s|\s$/i;

export function goesUp(path: string): boolean {
  return path.split('/').includes('..');
}

/** A link that Divisi made in the folder. */
export interface KnownLink {
  /** Relative to the folder. */
  readonly path: string;
  /** Absolute. */
  readonly target: string;
}

/**
 * Programs resolve `..` either in the text of a path or after following links: both must stay inside. What a known link leads to
 * counts as inside if it exists, the path has no `..`, and the link is as it was made.
 */
export async function leadsInside(directory: string, path: string, known: readonly KnownLink[] = []): Promise<boolean> {
  if (ambiguous.test(path)) return false;
  try {
    const top = await realpath(directory);
    const words = resolve(directory, path);
    const asWritten = isAbsolute(path) ? path : `${directory}/${path}`;
    const ends = [await endOf(asWritten), await endOf(words)];
    if (ends.every((end) => end !== null && !leadsOut(relative(top, end)))) return true;
    if (goesUp(path)) return false;
    const ways = [directory, top].map((folder) => relative(folder, words));
    const link = known.find((one) => ways.some((way) => liesWithin(way, one.path)));
    if (link === undefined || (await realpath(join(top, link.path))) !== (await realpath(link.target))) return false;
    return (await realpath(words)) !== '';
  } catch {
    // A folder that may not be entered, a name that is too long, a dangling link: the end is unknown.
    return false;
  }
}

/** Where the path ends, relative to the folder; undefined where that is unknown. */
export async function endInside(directory: string, path: string): Promise<string | undefined> {
  try {
    const end = await endOf(isAbsolute(path) ? path : `${directory}/${path}`);
    return end === null ? undefined : relative(await realpath(directory), end);
  } catch {
    return undefined;
  }
}

/** The system's own limit. */
const mostLinks = 40;

/** The end of an absolute path, whether or not it exists. Null for a cycle of links. */
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

/** The target of a link; undefined for anything else. */
async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (['EINVAL', 'ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
