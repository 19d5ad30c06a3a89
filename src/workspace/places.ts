/**
 * Places: names the folders that Divisi keeps for a project outside of its checkout. The state folder holds the ledger, returns,
 * transcripts and homes of agent programs; the rooms folder holds the clones in which agents work. Creates neither.
 */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';

/** The project's folder name and 8 hex digits of its real path: readable, and different for every project. */
export function projectKey(project: string): string {
  const path = realpathSync(project);
  const name = basename(path)
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 40);
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `${name || 'project'}-${createHash('sha256').update(path).digest('hex').slice(0, 8)}`;
}

/** `DIVISI_STATE`, else `$XDG_STATE_HOME/divisi`, else `~/.local/state/divisi`. */
export function stateRoot({ DIVISI_STATE: own, XDG_STATE_HOME: xdg, HOME: home }: NodeJS.ProcessEnv): string {
  if (isFolder(own)) return own;
  return join(isFolder(xdg) ? xdg : join(isFolder(home) ? home : homedir(), '.local/state'), 'divisi');
}

export function stateFolder(project: string, environment: NodeJS.ProcessEnv = process.env): string {
  return join(stateRoot(environment), 'projects', projectKey(project));
}

/**
 * `chosen` comes from the user's config. A path with a part that begins with a dot or has a blank is replaced: servers refuse
 * to serve files below a dot folder, and build scripts split paths at blanks.
 */
export function roomsRoot({ DIVISI_ROOMS: own, HOME: home }: NodeJS.ProcessEnv, chosen?: string): string {
  const wanted = [chosen, own].find(isFolder) ?? join(isFolder(home) ? home : homedir(), 'divisi-rooms');
  return isPlainPath(wanted) ? wanted : `/var/tmp/divisi-${process.getuid?.() ?? 'user'}`;
}

export const isPlainPath = (path: string): boolean => !/(?:^|\/)\.|\s/.test(path);

/** The specification of XDG ignores relative paths, and so do we. */
const isFolder = (path: string | undefined): path is string => path !== undefined && isAbsolute(path);
