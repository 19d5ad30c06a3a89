/**
 * beginRun: the only way to create a run. Chooses its id, takes its lease, prepares its workspace and commits its
 * first events in one transaction with the caller's checks; then the caller works on it while the lease is held.
 */
import { defined } from '../../base/defined.ts';
import { newRunId, type RunId } from '../../base/ids.ts';
import type { Config } from '../../config/config.ts';
import type { NewEvent, RunEvent } from '../../core/event/event.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import type { RunState } from '../../core/state/state.ts';
import { commitFirst, foldFirst } from '../../ledger/commit-queue.ts';
import type { Lease } from '../../ledger/lease.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type Holding, withLease } from '../../project/with-lease.ts';
import { chooseSetUp } from '../../workspace/git/choose-set-up.ts';
import { findRepository } from '../../workspace/git/repository.ts';
import { beginWorkspace } from '../../workspace/git/room/begin-workspace.ts';
import { systemClock } from '../../engine/clock.ts';

export interface RunSpec {
  /** Absent where a program performs the tasks. */
  readonly workspace?: RunWorkspaceSpec;
  readonly events: (run: RunId, workspace: WorkspaceFacts | undefined) => readonly NewEvent[];
  /** A trial is a run in memory: it has an id, a lease and a workspace, but no events in the ledger. */
  readonly isTrial?: boolean;
  /** Refuses the run, in the transaction that creates it. */
  readonly check?: (run: RunId) => void;
  /** Records facts that hold from the start of the run, in the same transaction. */
  readonly created?: (run: RunId) => void;
}

export interface RunWorkspaceSpec {
  /** `rooms`: a private clone for each task. `checkout`: agents share the user's files. */
  readonly kind: 'rooms' | 'checkout';
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly config: Config;
  /** Files that Divisi keeps in sync, relative to the project. */
  readonly own?: readonly string[];
  readonly baseBranch?: string | undefined;
}

export interface BeginPorts extends Holding {
  readonly ledger: Ledger;
  readonly seen?: (event: RunEvent, state: RunState) => void;
}

export interface HeldRun {
  readonly lease: Lease;
  readonly state: RunState;
}

/** Refuses an unusable workspace before the run is recorded. */
export async function beginRun<T>(spec: RunSpec, ports: BeginPorts, work: (begun: HeldRun) => Promise<T>): Promise<T> {
  const { ledger, warn, seen } = ports;
  const run = newRunId(new Date(), Math.random);
  return withLease(ledger, run, ports, async (lease) => {
    const workspace = spec.workspace && (await workspaceFacts(run, spec.workspace));
    const first = spec.events(run, workspace);
    if (spec.isTrial === true) return work({ lease, state: stateAfter(first) });
    const { state, events } = ledger.atomically(() => {
      spec.check?.(run);
      const committed = commitFirst(first, { lease, clock: systemClock });
      spec.created?.(run);
      return committed;
    });
    for (const event of events) seen?.(event, state);
    if (workspace !== undefined) warnOfUncommitted(workspace, warn);
    return work({ lease, state });
  });
}

/** The state of a run with these first events, in memory only. */
export function stateAfter(events: readonly NewEvent[]): RunState {
  return foldFirst(events, systemClock).state;
}

async function workspaceFacts(run: RunId, spec: RunWorkspaceSpec): Promise<WorkspaceFacts> {
  const { kind, project, environment, config, own = [], baseBranch } = spec;
  const repository = await findRepository(project, environment);
  const { prefix } = repository;
  if (kind === 'checkout') {
    const nowhere = { base: '', branch: '', identity: { name: '', email: '' }, uncommitted: 0 };
    return { kind, prefix, ...nowhere, ...config.workspace, setup: [] };
  }
  const begun = await beginWorkspace(repository, { run, own, at: Date.now(), ...defined({ baseBranch }) });
  const setUp = await chooseSetUp(repository, begun.base, config.workspace);
  return { prefix, ...begun, ...config.workspace, ...setUp };
}

/** Uncommitted changes stay in the checkout; agents do not see them. */
function warnOfUncommitted({ uncommitted, base }: WorkspaceFacts, warn: Holding['warn']): void {
  if (uncommitted === 0) return;
  const what = uncommitted === 1 ? 'one change in your checkout is' : `${uncommitted} changes in your checkout are`;
  warn(new Error(`${what} not committed and not part of the run, which starts at ${base.slice(0, 10)}`));
}
