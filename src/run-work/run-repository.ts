/** Finds the repository that holds the work of a run. */
import { divisiError } from '../base/error.ts';
import { workspaceOf, workspaceOfRoom } from '../core/state/current-workspace.ts';
import type { RunState } from '../core/state/state.ts';
import type { RoomFacts, WorkspaceFacts } from '../core/event/verification.ts';
import { branchHead } from '../workspace/git/commit-of.ts';
import { commitOf } from '../workspace/git/commit-of.ts';
import { countSince } from '../workspace/git/merge/merge-work.ts';
import { findRepository, type Repository } from '../workspace/git/repository.ts';

export interface RunRepository {
  readonly repository: Repository;
  readonly facts: WorkspaceFacts;
  /** Those that a room was made with. */
  readonly factsOf: (room: RoomFacts) => WorkspaceFacts;
}

export async function runRepository(
  state: RunState,
  project: string,
  environment: NodeJS.ProcessEnv,
): Promise<RunRepository> {
  const { run } = state.created;
  const workspace = workspaceOf(state);
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
      next: `There is nothing to merge. \`divisi diff ${run}\` shows what changed since it began.`,
      ids: { run },
    });
  }
  const repository = await findRepository(project, environment);
  const factsOf = (room: RoomFacts): WorkspaceFacts => workspaceOfRoom(state, room) ?? workspace;
  if (repository.kind === workspace.kind) return { repository, facts: workspace, factsOf };
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
