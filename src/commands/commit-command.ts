/**
 * Merges a command's work into the user's checkout and commits the files that follow from it. Where the checkout does not allow it, reports
 * why and changes nothing.
 */
import { isRefusal } from '../base/error.ts';
import { oneLine } from '../base/text.ts';
import { commandOf, statusAfter } from '../core/workflow/command-end.ts';
import type { RunState } from '../core/state/state.ts';
import { shortList } from '../core/event/work-findings.ts';
import { mergeRun, previewMerge } from '../run-work/merge-run.ts';
import { type RunRepository, runRepository } from '../run-work/run-repository.ts';
import { counted } from '../views/text/quantity.ts';
import { isInCheckout } from '../workspace/git/merge/merge-into-checkout.ts';
import { commitFiles, commitWithTrailer } from '../workspace/git/commit-files.ts';
import { withMergeLock } from '../workspace/git/repository.ts';

export interface PostflightResult {
  readonly done: boolean;
  readonly note: string;
}

export interface CommitCommandDeps {
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Files that Divisi keeps in sync, relative to the project; read after the merge. */
  readonly files: () => Promise<readonly string[]>;
  /** Status of the backlog task. */
  readonly status: string;
}

const nothingToCommit = 'there is nothing to commit';

/** Returns why the work could not be merged; undefined when it is merged, or there is none. */
export async function mergeIntoCheckout(
  state: RunState,
  { project, environment }: Pick<CommitCommandDeps, 'project' | 'environment'>,
): Promise<string | undefined> {
  if (state.head === null) return undefined;
  try {
    const at = await runRepository(state, project, environment);
    // Commands on other tasks may merge at the same time.
    const why = await withMergeLock(at.repository, () => mergeOrReason(at, state));
    return why === undefined ? undefined : away(state, why);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return away(state, error.message);
  }
}

/** True if the checkout already contains the work. */
export async function isMerged(
  state: RunState,
  { project, environment }: Pick<CommitCommandDeps, 'project' | 'environment'>,
): Promise<boolean> {
  if (state.head === null) return false;
  const { repository, facts } = await runRepository(state, project, environment);
  return isInCheckout(repository, facts, state.head);
}

async function mergeOrReason(at: RunRepository, state: RunState): Promise<string | undefined> {
  const { others, foreign, hooks, into } = await previewMerge(at, state);
  if (others > 0) return `it started from a commit that ${oneLine(into, 60)} does not have`;
  if (foreign > 0) return `${counted(foreign, 'commit')} on its branch no task made`;
  if (hooks.length > 0) return `it changes what your git runs as hooks: ${shortList(hooks)}`;
  const end = await mergeRun(at, state);
  if (end.kind !== 'conflict') return undefined;
  const names = end.files.slice(0, 5).map((file) => oneLine(file, 80));
  return `it changes what you have changed too: ${names.join(', ')}`;
}

function away({ created: { run, workspace } }: RunState, why: string): string {
  return `${why}; the work is on ${workspace?.branch ?? 'its branch'}: commit or stash what is in the way, then run the command again, or divisi merge ${run}`;
}

/** Commits the files that follow from merged work. */
export async function commitCommand(state: RunState, deps: CommitCommandDeps): Promise<PostflightResult> {
  // The command changed nothing.
  if (statusAfter(state, true) === undefined && state.head === null) return { done: false, note: nothingToCommit };
  const why = await mergeIntoCheckout(state, deps);
  if (why !== undefined) return { done: false, note: why };
  try {
    const at = await runRepository(state, deps.project, deps.environment);
    return await withMergeLock(at.repository, () => commitAt(at, state, deps));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { done: false, note: error.message };
  }
}

async function commitAt(
  at: RunRepository,
  state: RunState,
  { files, status }: Pick<CommitCommandDeps, 'files' | 'status'>,
): Promise<PostflightResult> {
  const { command, number, title } = commandOf(state);
  const { run } = state.created;
  const trailers = [
    ['Divisi-Run', run],
    ['Divisi-Command', `${command} ${number}`],
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
