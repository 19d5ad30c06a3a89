/** Records events in a run while no process works on it, and brings the files that show the run in sync. */
import type { RunId } from '../base/ids.ts';
import type { NewEvent } from '../core/event/event.ts';
import { workspaceOf } from '../core/state/current-workspace.ts';
import type { RunState } from '../core/state/state.ts';
import type { DriverTask } from '../drivers/driver.ts';
import { recoverReturn } from '../drivers/turn-output.ts';
import { systemClock } from '../engine/clock.ts';
import { type CommitQueue, commitQueue } from '../ledger/commit-queue.ts';
import { foldRun } from '../ledger/fold-run.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { withLease } from '../project/with-lease.ts';
import { directoryIn } from '../run-work/run-workspace.ts';
import { reapRun } from '../run-work/verifier-process.ts';
import { noHooks, type RunOptions } from '../scheduler/agent-run.ts';
import { recoverDelegation } from '../scheduler/perform/perform-delegation.ts';
import { finishPlanView, unwrittenLog } from '../scheduler/plan-file/open-plan-view.ts';
import type { Recover } from '../scheduler/reconcile.ts';
import { loadRoles } from '../workspace/load-roles.ts';
import { behaviourOf } from './run-behaviour.ts';

/** Records events in a run that no process works on, after reaping its leftover processes. `commit` records some of them earlier. */
export async function recordWithoutDriver(
  ledger: Ledger,
  run: RunId,
  options: RunOptions,
  eventsOf: (state: RunState, recover: Recover, commit: CommitQueue['commit']) => Promise<readonly NewEvent[]>,
): Promise<RunState> {
  return withLease(ledger, run, options, async (lease) => {
    const { project, environment } = options;
    const log = unwrittenLog();
    const state = foldRun(ledger, run, log.seen);
    await reapRun(run);
    const driver = { recover: ({ outputFile }: DriverTask) => recoverReturn(outputFile) };
    const workspace = workspaceOf(state);
    const directoryOf = workspace === undefined ? noWorkspace(run) : directoryIn(workspace);
    const { contracts, agents } = await loadRoles(project);
    const recover = recoverDelegation({ project, environment, run, agents, contracts, driver, directoryOf });
    const behaviour = behaviourOf(state);
    const hooks = behaviour.followsRecords ? behaviour.hooks(state, ledger, options) : noHooks;
    const commits = commitQueue(state, { lease, clock: systemClock });
    commits.follow((events) => {
      for (const event of events) {
        log.seen(event, state);
        hooks.followed(event, state);
      }
    });
    commits.commit(await eventsOf(state, recover, commits.commit));
    await hooks.idle();
    showTo(options, commits);
    await finishViews(state, commits, log.lines(), options);
    return state;
  });
}

export function showTo({ seen }: Pick<RunOptions, 'seen'>, commits: CommitQueue): CommitQueue {
  commits.follow((events, state) => events.forEach((event) => seen(event, state)));
  return commits;
}

/** Brings the files that show a run in sync with the ledger; for runs that no process works on. */
export async function finishViews(
  state: RunState,
  commits: CommitQueue,
  unwritten: readonly string[],
  { project, warn }: Pick<RunOptions, 'project' | 'warn'>,
): Promise<void> {
  await finishPlanView(state, { project, commits, unwritten, warn }).catch(warn);
  await behaviourOf(state).writeViews(state, { project, warn }).catch(warn);
}

/** For a run without agents, which has no delegation to recover. */
function noWorkspace(run: string): () => never {
  return () => {
    throw new Error(`${run} has no workspace`);
  };
}
