/** The repository that the work of a run is in, for whoever looks at it or takes it home. */
import { tuttiError } from '../contracts/error.ts';
import type { RunState } from '../core/state.ts';
import type { WorkspaceFacts } from '../core/verification.ts';
import { branchHead } from '../workspace/git/branch-head.ts';
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
    throw tuttiError('WORKSPACE_UNSUPPORTED', {
      message: `${run} has no branch: a program did its work`,
      next: 'Only runs of agents leave their work in a repository.',
      ids: { run },
    });
  }
  const repository = await findRepository(project, environment);
  if (repository.kind === workspace.kind) return { repository, facts: workspace };
  const [then, now] = workspace.kind === 'git' ? ['a git repository', 'none'] : ['no git repository', 'one'];
  throw tuttiError('WORKSPACE_UNSUPPORTED', {
    message: `the project was ${then} when ${run} began, and is ${now} now`,
    next: 'Make it what it was, or begin a new run.',
    ids: { run },
  });
}

/** Where the work of the run is now: its branch, or what the ledger knows where the branch is gone. */
export async function runHead({ repository, facts }: RunRepository, { head }: RunState): Promise<string> {
  return (await branchHead(repository, facts.branch)) ?? head ?? facts.base;
}
