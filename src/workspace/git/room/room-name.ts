/** Names rooms and branches: one room per task, one branch per attempt; valid in a branch name and as a file name. */
import { basename, dirname, join } from 'node:path';
import type { Repository } from '../repository.ts';

/** File systems allow 255 bytes; a branch adds `.lock` while it is written. */
const longest = 120;

/** Distinct ids give distinct names: `_` begins every escape and nothing else. */
function safeName(id: string): string {
  const name = id
    .replace(/[^A-Za-z0-9.-]/gu, (char) => (char === '_' ? '__' : `_${char.codePointAt(0)?.toString(16) ?? ''}_`))
    .replace(/^[.-]|(?<=\.)\./g, (char) => `_${char === '.' ? '2e' : '2d'}_`);
  if (name.length <= longest) return name;
  // Loaded on demand, which is rare.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `${name.slice(0, longest - 34)}_h${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

/** The attempt number at the end keeps a name from ending in a dot or in `.lock`. */
export function attemptName(task: string, attempt: number): string {
  return `${safeName(task)}-${attempt}`;
}

/** The room of all attempts at a task: clients find a conversation again by its folder. */
export function taskRoom(task: string): string {
  return safeName(task);
}

/** A checkout that belongs to no task; no task's name ends like this. */
export function checkoutName(name: string): string {
  return `${safeName(name)}_merged`;
}

/** Where files that git refuses are kept when another attempt needs the room; no task's name ends like this. */
export function setAsideName(attempt: string): string {
  return `${attempt}_aside`;
}

export const isSetAside = (name: string): boolean => name.endsWith('_aside');

export function runBranch(run: string): string {
  return `divisi/${run}`;
}

/**
 * Points at the head of a run's branch: rooms borrow the objects of the repository, and the user may delete the branch and prune
 * while agents work.
 */
export function keepRef(branch: string): string {
  return `refs/divisi/keep/${branch}`;
}

export function attemptBranch(run: string, name: string): string {
  return `divisi-task/${run}/${name}`;
}

/** The random end of a run's id: long enough for one project, short enough for a path. */
export function shortRun(run: string): string {
  return run.slice(-8);
}

/** Absolute. */
export function roomFolder({ rooms }: Pick<Repository, 'rooms'>, run: string, name: string): string {
  return join(rooms, shortRun(run), name);
}

/** The ref that keeps the changes of set-up, see `keepSetUp`. */
export function setUpRef(folder: string): string {
  return `refs/divisi/set-up/${basename(dirname(folder))}/${basename(folder)}`;
}
