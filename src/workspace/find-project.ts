/**
 * Finds the project: the nearest folder from here upwards that has a `.divisi`, or this one. Looks no further than the top of the
 * repository that this folder is in; without one, only at folders below the user's home. Above these, a `.divisi` may be anybody's,
 * and its config names commands to run; so may one that belongs to another user, which counts only in the folder one stands in.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeIn } from './places.ts';

/** Synchronous: hooks ask at every step of a client. */
export function findProject(from: string, environment: NodeJS.ProcessEnv = process.env): string {
  const above = foldersAbove(from);
  const top = above.findIndex(isTopFor(from));
  const within = top === -1 ? [from, ...above.slice(1).filter(isBelowHome(environment))] : above.slice(0, top + 1);
  return within.find((folder) => hasDivisi(folder, folder === from)) ?? from;
}

/**
 * A folder with git's own files that belong to this user or to the owner of the folder one stands in: in a shared folder such as
 * `/tmp`, anybody can make a `.git`.
 */
function isTopFor(from: string): (folder: string) => boolean {
  const owners = new Set([process.getuid?.() ?? 0, existsSync(from) ? statSync(from).uid : 0]);
  return (folder) => {
    const git = join(folder, '.git');
    if (!existsSync(git)) return false;
    const facts = statSync(git);
    return owners.has(facts.uid) && (facts.isFile() || existsSync(join(git, 'HEAD')));
  };
}

/** This folder first, `/` last. */
function foldersAbove(from: string): string[] {
  const folders = [from];
  for (let at = from; dirname(at) !== at;) folders.push((at = dirname(at)));
  return folders;
}

function hasDivisi(folder: string, isHere: boolean): boolean {
  const facts = statSync(join(folder, '.divisi'), { throwIfNoEntry: false });
  return facts?.isDirectory() === true && (isHere || process.getuid === undefined || facts.uid === process.getuid());
}

/** By either name of a home behind a symlink: the folder may be named by both. */
function isBelowHome(environment: NodeJS.ProcessEnv): (folder: string) => boolean {
  const home = homeIn(environment);
  const names = existsSync(home) ? [home, realpathSync(home)] : [home];
  return (folder) => names.some((name) => folder !== name && folder.startsWith(name.replace(/\/?$/, '/')));
}
