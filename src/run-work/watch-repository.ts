/**
 * Watches what the user's git obeys while agents work: its config, hooks, attributes and alternates. Where agents are not confined, one
 * of them can plant a filter there that our next `git add` would run. Read without git, and compared before git is asked.
 *
 * Settings of branches and addresses of remotes change in everyday work and execute nothing; they do not count.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { divisiError } from '../base/error.ts';
import { liesWithin } from '../base/paths.ts';
import type { Confinement } from '../process/confine/confinement.ts';
import type { Repository } from '../workspace/git/repository.ts';

const files = ['config', 'config.worktree', 'info/attributes', 'info/grafts', 'objects/info/alternates'];

/** Returns a function that names what has changed since. */
export function watchRepository({ kind, gitDir }: Pick<Repository, 'kind' | 'gitDir'>): () => string[] {
  if (kind !== 'git') return () => [];
  const before = fingerprint(gitDir);
  return () => {
    const now = fingerprint(gitDir);
    return [...new Set([...before.keys(), ...now.keys()])].filter((name) => before.get(name) !== now.get(name));
  };
}

/** For a person: only they know whether they have changed it themselves. */
export function tamperedText(names: readonly string[]): string {
  return `your repository was changed while agents worked: ${names.map((name) => `.git/${name}`).join(', ')}`;
}

export function refuseTampered(names: readonly string[]): void {
  if (names.length === 0) return;
  throw divisiError('REPOSITORY_CHANGED', {
    message: tamperedText(names),
    next: 'Look at it and undo what is not yours, then `divisi resume`.',
  });
}

function fingerprint(gitDir: string): ReadonlyMap<string, string> {
  const hooks = namesIn(join(gitDir, 'hooks')).filter((name) => !name.endsWith('.sample'));
  const names = [...files, ...hooks.map((name) => `hooks/${name}`)];
  return new Map(names.map((name) => [name, hashOf(join(gitDir, name), name.startsWith('config'))]));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What it is, and what it says; a missing file is one more thing that a file can be. */
function hashOf(path: string, isConfig: boolean): string {
  try {
    const facts = lstatSync(path);
    if (!facts.isFile()) return `mode ${facts.mode.toString(8)}`;
    const text = readFileSync(path, 'utf8');
    return createHash('sha256')
      .update(`${facts.mode}\0${isConfig ? withoutEveryday(text) : text}`)
      .digest('hex');
  } catch {
    return 'missing';
  }
}

const everydaySection = /^\[(?:branch|remote) "[^"\\\n]*"\]$/;
const everydayKey =
  /^\s*(?:remote|merge|rebase|pushremote|description|vscode-merge-base|github-pr-[\w-]+|gk-[\w-]+|fetch|tagopt|prune|gh-resolved)\s*=[^\\]*$/i;
/** Not `ext::` and the like, which run programs. */
const everydayAddress = /^\s*(?:push)?url\s*=\s*(?:https?:\/\/|ssh:\/\/|git@|\/|\.)[^\\]*$/i;

/** Leaves out only lines that are surely harmless. */
function withoutEveryday(text: string): string {
  let isEveryday = false;
  return text
    .split('\n')
    .filter((line) => {
      if (/^\s*\[/.test(line)) isEveryday = everydaySection.test(line);
      return !(isEveryday && (everydaySection.test(line) || everydayKey.test(line) || everydayAddress.test(line)));
    })
    .join('\n');
}

/** Whether a program that is confined like this, or not at all, can change a folder. */
export function canWrite(confinement: Confinement | undefined, folder: string): boolean {
  if (confinement === undefined) return true;
  return confinement.mounts.some(({ as, path }) => as === 'writable' && liesWithin(folder, path));
}
