/** Finds the repository that holds the work of a run. */
import { divisiError } from '../base/error.ts';
import type { RunState } from '../core/state/state.ts';
import type { WorkspaceFacts } from '../core/event/verification.ts';
import { branchHead } from '../workspace/git/branch-head.ts';
import { commitOf } from '../workspace/git/look-up.ts';
import { countSince } from '../workspace/git/merge/merge-work.ts';
import { findRepository, type Repository } from '../workspace/git/repository.ts';

export interface RunRepository {
  readonly repository: Repository;
  readonly facts: WorkspaceFacts;
}

export async function runRepository(
  { created: { run, workspace } }: RunState,
  project: string,
  environment: NodeJS.ProcessEnv,
): Promise<RunRepository> {
  if (workspace === undefined) {
    throw divisiError('WORKSPACE_UNSUPPORTED', {
      message: `${run} has no branch: a program performed its tasks`,
      next: 'Only runs of agents leave their work in a repository.',
      ids: { run },
    });
  }
  if (workspace.kind === 'checkout') {
    throw divisiError('WORKSPACE_UNSUPPORTED', {
      message: `${run} has no branch: a conversation conducted it, and its agents worked in your checkout`,
      next: '`git diff` shows uncommitted changes; `divisi report` lists the changes of each task.',
      ids: { run },
    });
  }
  const repository = await findRepository(project, environment);
  if (repository.kind === workspace.kind) return { repository, facts: workspace };
  const [then, now] = workspace.kind === 'git' ? ['a git repository', 'none'] : ['no git repository', 'one'];
  throw divisiError('WORKSPACE_UNSUPPORTED', {
    message: `the project was ${then} when ${run} started, and is ${now} now`,
    next: 'Change it back, or start a new run.',
    ids: { run },
  });
}

/** Counts the unverified commits of the run's branch, up to this one, that no task made. */
export async function foreignCommits(
  { repository, facts }: RunRepository,
  state: RunState,
  to: string,
): Promise<number> {
  // Commits after the last merge are not in `state.foreign` yet.
  const from = (state.head !== null && (await commitOf(repository, state.head))) || facts.base;
  return state.foreign + (await countSince(repository, { from, to, delegation: state.merge?.delegation })).others;
}

/** Head of the run's branch, or the last recorded head where the branch is gone. */
export async function runHead({ repository, facts }: RunRepository, { head }: RunState): Promise<string> {
  return (await branchHead(repository, facts.branch)) ?? head ?? facts.base;
}
