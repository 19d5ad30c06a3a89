/**
 * Places: names the folders that Divisi keeps for a project outside of its checkout. The state folder holds the ledger, returns,
 * transcripts and homes of agent programs; the rooms folder holds the clones in which agents work. Creates neither, and refuses state
 * that others may have written.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { refuseUnsafeState } from './own-alone.ts';

/** The project's folder name and 8 hex digits of its real path: readable, and different for every project. */
export function projectKey(project: string): string {
  const path = realpathSync(project);
  const name = basename(path)
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 40);
  return `${name || 'project'}-${hashOfPath(path)}`;
}

/** FNV-1a, mixed once more. Hooks need it at every step of a client, and loading `node:crypto` takes longer than all they do. */
function hashOfPath(path: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(path)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, '0');
}

export function homeIn({ HOME: home }: NodeJS.ProcessEnv): string {
  return isFolder(home) ? home : process.getBuiltinModule('node:os').homedir();
}

/** `DIVISI_STATE`, else `$XDG_STATE_HOME/divisi`, else `~/.local/state/divisi`. */
export function stateRoot(environment: NodeJS.ProcessEnv): string {
  const { DIVISI_STATE: own, XDG_STATE_HOME: xdg } = environment;
  if (isFolder(own)) return own;
  return join(isFolder(xdg) ? xdg : join(homeIn(environment), '.local/state'), 'divisi');
}

export function stateFolder(project: string, environment: NodeJS.ProcessEnv = process.env): string {
  const projects = join(stateRoot(environment), 'projects');
  const folder = join(projects, projectKey(project));
  refuseUnsafeState([dirname(projects), projects, folder]);
  return folder;
}

export function ledgerFile(project: string, environment: NodeJS.ProcessEnv = process.env): string {
  const file = join(stateFolder(project, environment), 'ledger.db');
  refuseUnsafeState([file]);
  return file;
}

/**
 * `chosen` comes from the user's config. A path with a part that begins with a dot or has a blank is replaced: servers refuse
 * to serve files below a dot folder, and build scripts split paths at blanks.
 */
export function roomsRoot(environment: NodeJS.ProcessEnv, chosen?: string): string {
  const wanted = [chosen, environment['DIVISI_ROOMS']].find(isFolder) ?? join(homeIn(environment), 'divisi-rooms');
  return isPlainPath(wanted) ? wanted : `/var/tmp/divisi-${process.getuid?.() ?? 'user'}`;
}

const isPlainPath = (path: string): boolean => !/(?:^|\/)\.|\s/.test(path);

/** The specification of XDG ignores relative paths, and so do we. */
const isFolder = (path: string | undefined): path is string => path !== undefined && isAbsolute(path);
