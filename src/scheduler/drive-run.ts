/**
 * One process at work on one run of a project's agents, from taking it up to letting it go: reap what an earlier one left,
 * work on the run, keep the plan's file in step, and end every child before leaving.
 */
import { join } from 'node:path';
import { folderInside } from '../workspace/project-path.ts';
import type { Agents } from '../agents/registry.ts';
import { DivisiError } from '../base/error.ts';
import type { DelegationId } from '../base/ids.ts';
import type { Contracts } from '../contracts/registry.ts';
import type { RunEvent } from '../core/event/event.ts';
import { isOver, type RunState } from '../core/state/state.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Clock } from '../engine/clock.ts';
import type { Happening, StopKind } from '../engine/engine.ts';
import type { Lease } from '../ledger/lease.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Reaped, reap } from '../process/reap.ts';
import { runReport } from '../views/run/run-report.ts';
import { runSummary } from '../views/run/run-summary.ts';
import { writeAtomically } from '../workspace/atomic-file.ts';
import { currentKeys } from './resume/current-keys.ts';
import { runFolder } from '../delegation/delegation-files.ts';
import { reapRun } from './workspace/living-verifier.ts';
import { performDelegation, recoverDelegation } from './perform/perform-delegation.ts';
import { performStep, type Postflight } from './perform/perform-step.ts';
import { planEdited } from './plan-file/plan-edited.ts';
import { findPlanFile } from '../project/plan-file.ts';
import { type PlanFound, type PlanView, planView } from './plan-file/plan-view.ts';
import { gatherEvents, recordEvents } from '../ledger/record-events.ts';
import { type ResumeDeps, resumeWork } from './resume/resume-work.ts';
import { doneWith, type RunWorkspace } from './workspace/run-workspace.ts';
import { canVerifyAgain, verifyAgain } from './resume/verify-again.ts';
import { type RunStart, workOnRun } from './work-on-run.ts';

export interface ViewDeps {
  readonly project: string;
  readonly lease: Pick<Lease, 'append'>;
  readonly clock: Clock;
  /** See `unwritten-log.ts`; nothing for a new run. */
  readonly unwritten: readonly string[];
  /** What people see: each event once it is durable. */
  readonly seen: (event: RunEvent, state: RunState) => void;
  /** Worth a word, but no reason to stop. */
  readonly warn: (error: unknown) => void;
  /** Someone else has changed the plan's file; absent where nobody minds any more. */
  readonly edited?: (found: PlanFound) => boolean;
}

export interface DriveDeps extends ViewDeps {
  readonly lease: Lease;
  readonly ledger: Ledger;
  readonly agents: Agents;
  readonly contracts: Contracts;
  readonly driver: Driver;
  readonly workspace: RunWorkspace;
  readonly newDelegation: () => DelegationId;
  /** Milliseconds. */
  readonly grace: number;
  readonly atCheckpoint: 'wait' | 'pause';
  /** A new run is given up when its plan cannot be written; one that goes on is not held up by it. */
  readonly isNew: boolean;
  /** How this process is called, for the record. */
  readonly command: string;
  /** What a person wants of a run that goes on; absent for a new one. */
  readonly resume?: Pick<ResumeDeps, 'from' | 'skipFailed'>;
  /** What to say when work goes on. */
  readonly start: RunStart;
  /** Gives a hand on the run; called once, before anything starts. */
  readonly controls: (controls: RunControls) => void;
  /** What a command leaves to do. */
  readonly postflight: Postflight;
}

/** What can be said to a run that this process works on. */
export interface RunControls {
  stop(how: StopKind): void;
  answer(checkpoint: string, approved: boolean): void;
}

/** Brings the plan's file in step with a run that has ended, in case its process died before it could. */
export async function finishView(state: RunState, deps: ViewDeps): Promise<void> {
  const { view } = await openView(state, deps);
  try {
    await view.write(state);
    await view.rename(state);
  } finally {
    await view.close();
  }
  await writeSummary(deps.project, state);
}

/** Of a run that has no plan's file. */
const noView: PlanView = {
  follow: () => undefined,
  write: async () => undefined,
  watch: () => undefined,
  rename: async () => undefined,
  close: async () => undefined,
};

interface OpenView {
  readonly view: PlanView;
  readonly committed: (events: readonly RunEvent[]) => void;
}

async function openView(state: RunState, deps: ViewDeps): Promise<OpenView> {
  const { project, lease, clock, unwritten, seen, warn } = deps;
  const view =
    state.planFile === ''
      ? noView
      : planView({
          project,
          file: await findPlanFile(project, state.planFile),
          isKnown: (hash) => state.planHashes.includes(hash),
          unwritten,
          // Between two rounds of the loop, which never waits in the middle of one.
          record: (event) => void recordEvents(state, [event], { lease, clock, committed }),
          changed: (found) => deps.edited?.(found) === true || tooLate(found),
          trouble: warn,
        });
  const committed = (events: readonly RunEvent[]): void => {
    for (const event of events) seen(event, state);
    view.follow(events, state);
  };
  /** Nobody goes on with a run that has completed: what was changed in its last moment is noted, and the file brought in step. */
  function tooLate({ file, hash }: PlanFound): boolean {
    if (state.status !== 'completed') return false;
    const conflicts = ['the run has completed; what was changed does not count for it'];
    recordEvents(state, [{ kind: 'plan.changed', file, hash, conflicts }], { lease, clock, committed });
    return true;
  }
  return { view, committed };
}

export async function driveRun(state: RunState, deps: DriveDeps): Promise<RunState> {
  const { project, ledger, lease, clock, agents, contracts, driver, warn } = deps;
  const { run } = lease;
  warnOfLeft(await reapRun(run), state, warn);

  let tell: ((happening: Happening) => void) | undefined;
  const edited = (found: PlanFound): boolean => {
    tell?.({ kind: 'edited', edit: planEdited(state, found, agents) });
    return tell !== undefined;
  };
  const { view, committed } = await openView(state, { ...deps, edited });
  let lastReap: NodeJS.Timeout | undefined;
  const { resume } = deps;
  const keys = currentKeys(state, { agents, contracts });
  const { workspace } = deps;
  const { directoryOf } = workspace;
  const performing = { project, run, agents, contracts, driver, clock, workspace, directoryOf };
  // Whoever stops the run while finished work is looked at does not wait for that.
  const looking = new AbortController();
  const stops: StopKind[] = [];
  deps.controls({
    stop(kind) {
      stops.push(kind);
      looking.abort();
      tell?.({ kind: 'stop', how: kind });
      // What was asked to end gently before has had its chance; what is asked now knows it by then.
      if (kind !== 'pause') lastReap ??= setTimeout(() => void reapRun(run).catch(warn), 500);
    },
    answer: (key, approved) => tell?.({ kind: 'answered', key, approved }),
  });
  await workspace.prepare();
  try {
    await workOnRun(state, {
      ledger,
      lease,
      clock,
      newDelegation: deps.newDelegation,
      grace: deps.grace,
      atCheckpoint: deps.atCheckpoint,
      command: deps.command,
      perform: performDelegation(performing),
      performStep: performStep({ run, workspace, planFile: () => state.planFile, postflight: deps.postflight }),
      recover: recoverDelegation(performing),
      committed: (events, now) => {
        committed(events);
        for (const event of events) tidy(event, now, workspace);
      },
      started: async () => {
        try {
          await view.write(state);
          await view.rename(state);
        } catch (error) {
          if (deps.isNew) {
            recordEvents(state, [{ kind: 'run.ended', status: 'cancelled' }], { lease, clock, committed });
            throw error;
          }
          warn(error);
        }
        view.watch(state);
      },
      start: deps.start,
      keyOf: (task) => keys().get(task),
      ...(resume === undefined
        ? {}
        : {
            prepare: async () => {
              const { record, commit } = gatherEvents(state, { lease, clock, committed });
              const verifyAgain = verifierOf(state, deps, looking.signal);
              await resumeWork(state, { project, agents, branch: workspace, ...resume, verifyAgain, keys, record });
              commit();
            },
          }),
      stopWanted: () => looking.abort(),
      listening: (how) => {
        tell = how;
        for (const kind of stops) how({ kind: 'stop', how: kind });
      },
    });
  } catch (error) {
    await view.close();
    await reapOwn(state, error);
    throw error;
  } finally {
    clearTimeout(lastReap);
    tell = undefined;
  }
  await view.write(state).catch(warn);
  await view.rename(state).catch(warn);
  await view.close();
  await writeSummary(project, state).catch(warn);
  await workspace.idle();
  return state;
}

/** It may take long: whoever waits is told what for. */
function verifierOf(
  state: RunState,
  { workspace, warn }: Pick<DriveDeps, 'workspace' | 'warn'>,
  signal: AbortSignal,
): ResumeDeps['verifyAgain'] {
  return async (tasks, commit) => {
    const names = tasks.filter(canVerifyAgain).map(({ planned }) => planned.id);
    const list = names.slice(0, 20).join(', ') + (names.length > 20 ? ' and more' : '');
    if (names.length > 0) warn(new Error(`files of ${list} have changed since; they are verified again`));
    try {
      return await verifyAgain(state, tasks, { workspace, commit, signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  };
}

/** Folders of tasks that are done go; those of what failed stay. */
function tidy(event: RunEvent, state: RunState, workspace: RunWorkspace): void {
  const task = event.kind === 'task.settled' ? doneWith(state, event.task) : undefined;
  if (task !== undefined) workspace.settled(task);
}

/** What came of a run that is over, in one document. */
async function writeSummary(project: string, state: RunState): Promise<void> {
  if (!isOver(state.status)) return;
  const folder = runFolder(state.created.run);
  await folderInside(project, folder);
  await writeAtomically(join(project, folder, 'summary.md'), runSummary(runReport(state)));
}

/** Whoever has taken the run over may have agents of its own at work: only what this process started is ended then. */
async function reapOwn(state: RunState, error: unknown): Promise<void> {
  const { run } = state.created;
  if (!(error instanceof DivisiError) || error.code !== 'LEASE_LOST') {
    await reapRun(run);
    return;
  }
  for (const delegation of state.active.keys()) await reap(run, { delegation });
}

/** Two agents at one task are worse than a word too many. */
function warnOfLeft(reaped: Reaped, { active, created }: RunState, warn: (error: unknown) => void): void {
  if (reaped.supported ? reaped.left.length === 0 : active.size === 0) return;
  const pids = reaped.supported ? reaped.left : [...active.values()].flatMap(({ pid }) => (pid === null ? [] : [pid]));
  const list = pids.length === 0 ? '' : ` (look for processes ${pids.join(', ')})`;
  warn(new Error(`agents that ${created.run} started before may still be at work${list}; end them if they are`));
}
