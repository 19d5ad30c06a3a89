/** Describes a failed merge for people and for the next attempt: the paths, and both sides of each. */
import { flatten } from '../../../base/text.ts';
import { redact } from '../../../base/redact.ts';
import type { Conflict } from '../../../core/event/verification.ts';
import { projectPath } from '../changes.ts';
import { git } from '../git.ts';
import type { Stage, ConflictedPath } from './merge-trees.ts';
import { type Repository, shared } from '../repository.ts';

const mostFiles = 20;
const mostCharacters = 2000;
const mostBytes = 1024 * 1024;

export interface FailedMerge {
  readonly tree: string;
  /** The commits, as they appear in git's markers. */
  readonly merged: string;
  readonly own: string;
  readonly unsettled: readonly ConflictedPath[];
}

export async function readConflicts(repository: Repository, failed: FailedMerge): Promise<Conflict[]> {
  const conflicts: Conflict[] = [];
  for (const one of failed.unsettled.slice(0, mostFiles)) {
    const sides = (await markedParts(repository, failed, one)) ?? (await wholeSides(repository, one));
    const path = flatten(projectPath(repository, one.path));
    conflicts.push({ path, why: whyOf(one), merged: shown(sides.merged), own: shown(sides.own) });
  }
  return conflicts;
}

interface Sides {
  readonly merged: string;
  readonly own: string;
}

/** `there` is what was merged before, `here` this task's work. */
function whyOf({ before, first, second, kinds }: ConflictedPath): string {
  if (kinds.some((kind) => kind === 'file/directory')) return 'a file on one side, a folder on the other';
  if (kinds.some((kind) => kind === 'rename/rename')) return 'renamed on both sides';
  if (kinds.some((kind) => kind === 'rename/delete')) return 'renamed on one side, deleted on the other';
  if (first && !second) return before ? 'changed there, deleted here' : 'only there';
  if (second && !first) return before ? 'deleted there, changed here' : 'only here';
  if (first && second && kindOf(first) !== kindOf(second)) return 'a file on one side, a symlink on the other';
  if (kinds.some((kind) => kind === 'binary')) return 'both changed it, and it is binary';
  return before ? 'both changed it' : 'both added it';
}

const kindOf = ({ mode }: Stage): string => mode.slice(0, 3);

/** The hunks between git's markers; undefined if there are none. */
async function markedParts(
  repository: Repository,
  { tree, merged, own }: FailedMerge,
  { path, first, second }: ConflictedPath,
): Promise<Sides | undefined> {
  if (first === undefined || second === undefined) return undefined;
  const asked = await git(shared(repository), ['cat-file', 'blob', '--end-of-options', `${tree}:${path}`], {
    answers: [0, 128],
    most: mostBytes,
    beyond: 'cut',
  });
  if (asked.code !== 0 && !asked.cut) return undefined;
  return partsBetween(asked.stdout.toString('utf8').split('\n'), `<<<<<<< ${merged}`, `>>>>>>> ${own}`);
}

function partsBetween(lines: readonly string[], opening: string, closing: string): Sides | undefined {
  const sides = { merged: [] as string[], own: [] as string[] };
  let side: keyof typeof sides | undefined;
  let found = false;
  for (const line of lines) {
    // The commit is followed by a path if the file was renamed on one side.
    if (line.startsWith(opening)) {
      if (found) for (const part of [sides.merged, sides.own]) part.push('…');
      side = 'merged';
      found = true;
    } else if (side === 'merged' && line === '=======') side = 'own';
    else if (line.startsWith(closing)) side = undefined;
    else if (side !== undefined) sides[side].push(line);
  }
  return found ? { merged: sides.merged.join('\n'), own: sides.own.join('\n') } : undefined;
}

async function wholeSides(repository: Repository, { first, second }: ConflictedPath): Promise<Sides> {
  return { merged: await contentOf(repository, first), own: await contentOf(repository, second) };
}

async function contentOf(repository: Repository, stage: Stage | undefined): Promise<string> {
  if (stage === undefined) return '(not there)';
  if (stage.mode === '160000') return `(a repository at ${stage.blob})`;
  const call = { most: mostBytes, beyond: 'cut' } as const;
  const { stdout } = await git(shared(repository), ['cat-file', 'blob', '--end-of-options', stage.blob], call);
  if (stdout.subarray(0, 8000).includes(0)) return '(no text)';
  return stage.mode === '120000' ? `(a symlink to ${stdout.toString('utf8')})` : stdout.toString('utf8');
}

/** Redacted before it is cut: half a secret no longer looks like one. */
function shown(text: string): string {
  const clean = redact(text).text;
  return clean.length <= mostCharacters ? clean : `${clean.slice(0, mostCharacters - 1).toWellFormed()}…`;
}
