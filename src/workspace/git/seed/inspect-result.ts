/**
 * Inspects what set-up left in a room: its size, and whether it works in another folder. It does not if it names the room's path, as virtual
 * environments, build caches and scripts with an absolute path do.
 */
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { leadsOut } from '../../../base/paths.ts';
import { redactedLine } from '../../../base/text.ts';

export interface Inspection {
  files: number;
  bytes: number;
  /** Why it cannot be used in another room; the first reason that was found. */
  why?: string;
}

export interface Inspected {
  /** Absolute: the top of the room. */
  readonly room: string;
  /** Absolute: the rooms of all projects. */
  readonly rooms: string;
  /** A name that only this room has. */
  readonly slug?: string | undefined;
}

/** `paths` are relative to the room. */
export async function inspectResult(place: Inspected, paths: readonly string[]): Promise<Inspection> {
  const found: Inspection = { files: 0, bytes: 0 };
  for (const path of paths) await inspect(place, join(place.room, path), found);
  return found;
}

async function inspect(place: Inspected, path: string, found: Inspection): Promise<void> {
  const facts = await lstat(path);
  const refuse = (why: string): void => {
    found.why ??= `${redactedLine(relative(place.room, path), 100)} ${why}`;
  };
  if (basename(path) === '.git') refuse('is a repository of its own');
  if (facts.isDirectory()) {
    const names = await readdir(path);
    // A few at a time: a folder of packages may have thousands of entries.
    for (let at = 0; at < names.length; at += 32) {
      await Promise.all(names.slice(at, at + 32).map((name) => inspect(place, join(path, name), found)));
    }
    return;
  }
  found.files += 1;
  found.bytes += facts.size;
  if (facts.isSymbolicLink()) {
    const target = await readlink(path);
    const way = relative(isAbsolute(target) ? place.rooms : place.room, resolve(dirname(path), target));
    if (isAbsolute(target) ? !leadsOut(way) : leadsOut(way)) refuse(`is a link to ${redactedLine(target, 100)}`);
  } else if (!facts.isFile()) refuse('is neither a file nor a folder');
  else if (isSuspect(relative(place.room, path), facts)) {
    const content = await readFile(path);
    if (content.includes(place.room)) refuse("names the room's own path");
    else if (place.slug !== undefined && content.includes(place.slug)) refuse("names the room's DIVISI_SLUG");
  }
}

const smallest = 64 * 1024;
const small = 1024 * 1024;
/** Files of Python and CMake that hold the folder they were made for. */
const telling = /^(?:.*\.pth|.*\.egg-link|pyvenv\.cfg|CMakeCache\.txt|direct_url\.json|__editable__.*)$/;

/** Packages have many files and do not know where they are, except for scripts that were made for the place. */
function isSuspect(path: string, { size, mode }: { readonly size: number; readonly mode: number }): boolean {
  if (telling.test(basename(path))) return size <= small;
  const isPackage = path.split('/').includes('node_modules');
  return isPackage ? (mode & 0o111) !== 0 && size <= smallest : size <= small;
}
