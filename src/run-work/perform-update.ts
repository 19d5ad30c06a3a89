/**
 * Performs an update of a run: merges the user's commit into its branch and verifies again the finished work whose files that changed.
 * Returns the event that records it. May be repeated after a crash.
 */
import { defined } from '../base/defined.ts';
import { DivisiError } from '../base/error.ts';
import { isDeepStrictEqual } from 'node:util';
import type { EventOf, NewEvent } from '../core/event/event.ts';
import { rulesOf } from '../core/event/run-kind.ts';
import type { CommandRun, WorkspaceFacts } from '../core/event/verification.ts';
import { workspaceOf } from '../core/state/current-workspace.ts';
import type { RunState } from '../core/state/state.ts';
import { commandLine } from '../plan/values/command-words.ts';
import { signingOf } from '../workspace/git/commit-tree.ts';
import { changesBetween } from '../workspace/git/changes.ts';
import { mergeUpdate, type UpdateMergeEnd } from '../workspace/git/merge/merge-update.ts';
import { judgeDrift, type VerifyAgain } from './judge-drift.ts';
import { runWorkspace, type WorkspaceDeps } from './run-workspace.ts';
import { canVerifyAgain, verifyAgain } from './verify-again.ts';

type UpdateEnd = Extract<NewEvent, { kind: 'workspace.updated' | 'update.refused' }>;

export async function performUpdate(
  state: RunState,
  requested: EventOf<'update.requested'>,
  deps: WorkspaceDeps,
  signal: AbortSignal,
): Promise<UpdateEnd> {
  const { update, commit, workspace, at } = requested;
  const nothing = { merged: 0, drifted: [], verified: [], stale: [] };
  const facts = workspaceOf(state);
  if (facts === undefined) throw new Error(`${state.created.run} has no workspace`);
  if (commit === undefined) return { kind: 'workspace.updated', update, ...nothing };
  const { repository } = deps;
  const { branch, identity } = facts;
  const knownHead = state.head ?? facts.base;
  const spec = { branch, knownHead, commit, run: state.created.run, update, identity, at, sign: signingOf(facts) };
  const end = await mergeUpdate(repository, spec).catch(asRefusal);
  switch (end.kind) {
    case 'nothing':
      return { kind: 'workspace.updated', update, ...nothing };
    case 'conflict': {
      const why = `${commit.slice(0, 10)} conflicts with the work of the run`;
      return { kind: 'update.refused', update, why, files: [...end.files] };
    }
    case 'moved':
      return { kind: 'update.refused', update, why: end.message, files: [] };
    case 'merged': {
      const { commit: head } = end;
      const merged = (await changesBetween(repository, `${head}^1`, head)).length;
      const ahead = { ...state, workspaces: [...state.workspaces, { ...workspace, base: commit }] };
      const judged = await judgeAgain(ahead, head, deps, signal);
      return { kind: 'workspace.updated', update, head, merged, ...judged };
    }
    default:
      return end satisfies never;
  }
}

/** A git that keeps failing changes nothing, and does not end the run. */
function asRefusal(error: unknown): Extract<UpdateMergeEnd, { kind: 'moved' }> {
  if (error instanceof DivisiError && error.code === 'GIT_FAILED') return { kind: 'moved', message: error.message };
  throw error;
}

type Judged = Pick<EventOf<'workspace.updated'>, 'drifted' | 'verified' | 'stale' | 'unverified'>;

/** `ahead` has the new settings: finished work is verified in a room as they make it. */
async function judgeAgain(ahead: RunState, head: string, deps: WorkspaceDeps, signal: AbortSignal): Promise<Judged> {
  const branch = runWorkspace(ahead, deps);
  let unverified: string | undefined;
  const again: VerifyAgain = async (tasks, commit) => {
    warnOf(
      tasks.filter(canVerifyAgain).map(({ planned }) => planned.id),
      deps,
    );
    const found = await verifyAgain(ahead, tasks, { workspace: branch, commit, signal });
    const failed = [...found.values()].flatMap(({ commands }) => commands).find((one) => isSetUp(one, branch.facts));
    if (failed === undefined) return found;
    // Work is not to blame for a room that cannot be set up.
    unverified = `the set-up command ${commandLine(failed.argv)} failed (${failed.end})`;
    return new Map();
  };
  const judged = await judgeDrift(ahead, head, { branch, verifyAgain: again, isJudged: !rulesOf(ahead.created).grows });
  signal.throwIfAborted();
  const { files = [], verified = [], stale = [] } = judged ?? {};
  return { drifted: [...files], verified: [...verified], stale: [...stale], ...defined({ unverified }) };
}

function isSetUp({ argv, ok }: CommandRun, { setup }: WorkspaceFacts): boolean {
  return !ok && setup.some((one) => isDeepStrictEqual(one, argv));
}

/** Said first, because verification may take long. */
function warnOf(names: readonly string[], { warn }: WorkspaceDeps): void {
  const list = names.slice(0, 20).join(', ') + (names.length > 20 ? ' and more' : '');
  if (names.length > 0) warn(new Error(`the update changes files of ${list}; they are verified again`));
}
