/** Hashed files: the files at a path of a project, each with the hash of what it holds. Follows no link to a folder. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { divisiError, messageOf } from '../../base/error.ts';
import { isMissing } from '../../workspace/project-path.ts';
import { readRegularFileNow } from '../../workspace/regular-file.ts';

export interface HashedFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly hash: string;
}

const mostFiles = 500;
const mostBytes = 4 * 1024 * 1024;

/** Installed packages; settings that name one are in the list themselves. */
const passedOver = new Set(['node_modules', '.git']);

/** The file itself, or all files of a folder, in order; none where nothing is there. */
export function hashedFiles(project: string, top: string): HashedFile[] {
  const found: HashedFile[] = [];
  const paths = [top];
  for (const path of paths) {
    const facts = factsOf(join(project, path));
    if (facts === undefined) continue;
    if (facts.isDirectory()) {
      const names = readdirSync(join(project, path));
      paths.push(...names.filter((name) => !passedOver.has(name)).map((name) => `${path}/${name}`));
    } else found.push({ path, hash: hashOf(join(project, path), facts.isSymbolicLink()) });
    if (paths.length > mostFiles) throw tooMany(top);
  }
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Undefined where nothing is there, also because a folder above is a file. */
function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Of a link: where it leads, and what is there. What cannot be read has a hash as well: it may become readable. */
function hashOf(file: string, isLink: boolean): string {
  const hash = createHash('sha256');
  if (isLink) hash.update(`link ${readlinkSync(file)}\n`);
  try {
    hash.update(readRegularFileNow(file, mostBytes));
  } catch (error) {
    hash.update(`unreadable: ${messageOf(error)}`);
  }
  return hash.digest('hex');
}

function tooMany(folder: string): Error {
  return divisiError('PROJECT_UNTRUSTED', {
    message: `${folder} has more than ${mostFiles} files: too many for a person to look at`,
    next: `Remove ${folder}, or what is not needed of it.`,
    ids: { folder },
  });
}
