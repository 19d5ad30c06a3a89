/** Opens a worktree and a branch for one attempt at a task, starting from the head of the run's branch. */
import { join } from 'node:path';
import type { WorktreeFacts } from '../../../core/event/verification.ts';
import { type AddedWorktree, addWorktree } from './add-worktree.ts';
import { branchHead } from '../branch-head.ts';
import type { CommitIdentity } from '../commit-tree.ts';
import { failedGit, git, gitText } from '../git.ts';
import { mergeTrees } from '../merge/merge-trees.ts';
import { type Provision, provide } from './provide.ts';
import { removeWorktree } from './remove-worktree.ts';
import { type Repository, shared } from '../repository.ts';
import { type WorktreeSnapshot, snapshotWorktree } from './snapshot-worktree.ts';
import { copyIndex, pristineIndex } from './worktree-metadata.ts';
import { attemptBranch, attemptName } from './worktree-name.ts';

/** An earlier attempt whose work the new one continues. */
export interface EarlierAttempt {
  readonly worktree: Pick<WorktreeFacts, 'folder' | 'branch' | 'base' | 'setUp'>;
  /** As for `snapshotWorktree`, if its files still exist. */
  readonly exclude: readonly string[];
  readonly identity: CommitIdentity;
  readonly at: number;
}

export interface WorktreeSpec extends Provision {
  readonly run: string;
  readonly task: string;
  readonly attempt: number;
  /** The run's branch. */
  readonly branch: string;
  readonly carry?: EarlierAttempt;
}

export interface OpenedWorktree extends WorktreeFacts {
  /** The project inside the worktree, absolute. */
  readonly directory: string;
}

export async function openWorktree(
  repository: Repository,
  spec: WorktreeSpec,
  signal?: AbortSignal,
): Promise<OpenedWorktree> {
  const base = await branchHead(repository, spec.branch);
  if (base === undefined) throw failedGit('rev-parse', { code: 1, stderr: `there is no branch ${spec.branch}` });
  const earlier = spec.carry && (await earlierWork(repository, spec.carry, signal));
  const left = earlier?.commit;
  const name = attemptName(spec.task, spec.attempt);
  const branch = attemptBranch(spec.run, name);
  const added = await addWorktree(repository, { run: spec.run, name, commit: base, branch }, signal);
  const { folder, directory } = added;
  try {
    const carried = left !== undefined && (await layOut(repository, added, base, left));
    await provide(repository.project, directory, spec);
    // Files that git refuses exist only there.
    if (spec.carry && earlier?.refused === undefined && spec.carry.worktree.folder !== folder)
      await removeWorktree(repository, { folder: spec.carry.worktree.folder });
    return { folder, branch, base, directory, ...(carried ? { carried: left } : {}) };
  } catch (error) {
    await removeWorktree(repository, { folder }).catch(() => {});
    throw error;
  }
}

/** The commit of the earlier attempt's work: its files if they still exist, else its branch. */
async function earlierWork(
  repository: Repository,
  { worktree, ...snapshot }: EarlierAttempt,
  signal: AbortSignal | undefined,
): Promise<Pick<WorktreeSnapshot, 'commit' | 'refused'>> {
  const spec = { ...snapshot, ...worktree, message: 'Work of an earlier attempt' };
  const found = await snapshotWorktree(repository, spec, signal);
  if (found !== undefined) return found;
  const head = await branchHead(repository, worktree.branch);
  return head === undefined || head === worktree.base ? {} : { commit: head };
}

/** Writes earlier work to the files, not to the index; false if it conflicts with the base. */
async function layOut(
  repository: Repository,
  { place }: AddedWorktree,
  base: string,
  earlier: string,
): Promise<boolean> {
  const merged = await mergeTrees(repository, base, earlier);
  if (merged.kind === 'conflict') return false;
  if (merged.tree === (await gitText(shared(repository), ['rev-parse', `${base}^{tree}`]))) return false;
  await git(place, ['read-tree', '-m', '-u', base, merged.tree]);
  await copyIndex(pristineIndex(place.gitDir), join(place.gitDir, 'index'));
  return true;
}
