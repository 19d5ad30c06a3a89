/**
 * The last step of a command: its work comes into the user's checkout, and the files that follow from it get a commit of their
 * own. Where the checkout does not allow that, the reason is said and everything stays where it is.
 */
import { isRefusal } from '../contracts/error.ts';
import { oneLine } from '../contracts/flatten.ts';
import { commandOf, statusAfter } from '../core/command-end.ts';
import type { RunState } from '../core/state.ts';
import { bringRunHome, homecoming } from '../scheduler/bring-run-home.ts';
import { type RunRepository, runRepository } from '../scheduler/run-repository.ts';
import { counted } from '../views/counted.ts';
import { commitFiles, commitWithTrailer } from '../workspace/git/commit-files.ts';
import { withMergeLock } from '../workspace/git/repository.ts';

export interface Done {
  readonly done: boolean;
  readonly note: string;
}

export interface CommitDeps {
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Those that Tutti keeps in step, relative to the project; asked when the work is at home. */
  readonly files: () => Promise<readonly string[]>;
  /** Of the numbered task. */
  readonly status: string;
}

const nothingToCommit = 'there is nothing to commit';

export async function commitCommand(state: RunState, deps: CommitDeps): Promise<Done> {
  // Everything is what it was before.
  if (statusAfter(state) === undefined && state.head === null) return { done: false, note: nothingToCommit };
  try {
    return await commit(state, deps);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return notAtHome(state, error.message);
  }
}

async function commit(state: RunState, { project, environment, files, status }: CommitDeps): Promise<Done> {
  const at = await runRepository(state, project, environment);
  // Commands about other tasks may have come to their end as well.
  return withMergeLock(at.repository, () => commitAt(at, state, { files, status }));
}

async function commitAt(
  at: RunRepository,
  state: RunState,
  { files, status }: Pick<CommitDeps, 'files' | 'status'>,
): Promise<Done> {
  const { command, number, title } = commandOf(state);
  const { run } = state.created;
  const { others, foreign, into } = await homecoming(at, state);
  if (state.head !== null && others > 0)
    return notAtHome(state, `it began from other work than ${oneLine(into, 60)} has`);
  if (foreign > 0) return notAtHome(state, `${counted(foreign, 'commit')} on its branch no task made`);
  const home = await bringRunHome(at, state);
  if (home.kind === 'conflict') {
    const names = home.files.slice(0, 5).map((file) => oneLine(file, 80));
    return notAtHome(state, `it changes what you have changed too: ${names.join(', ')}`);
  }
  const trailers = [
    ['Tutti-Run', run],
    ['Tutti-Command', `${command} ${number}`],
  ] as const;
  const said = await commitFiles(at.repository, {
    paths: await files(),
    message: `${number} ${command === 'review' ? 'reviewed' : status}: ${oneLine(title, 60)}`,
    trailers,
    identity: at.facts.identity,
  });
  switch (said.kind) {
    case 'committed':
      return { done: true, note: said.commit };
    case 'unchanged': {
      // Committed before a crash, or there was nothing to commit.
      const before = await commitWithTrailer(at.repository, trailers);
      return before === undefined ? { done: false, note: nothingToCommit } : { done: true, note: before };
    }
    case 'refused':
      return { done: false, note: said.why };
    default:
      return said satisfies never;
  }
}

function notAtHome(state: RunState, why: string): Done {
  const { run, workspace } = state.created;
  const where = state.head === null ? '' : `; the work is on ${workspace?.branch ?? 'its branch'}: tutti merge ${run}`;
  return { done: false, note: `${why}${where}` };
}
