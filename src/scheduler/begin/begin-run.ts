/**
 * beginRun: the only way to create a run. Chooses its id, takes its lease, prepares its workspace and commits its
 * first events in one transaction with the caller's checks; then the caller works on it while the lease is held.
 */
import { defined } from '../../base/defined.ts';
import { newRunId, type RunId } from '../../base/ids.ts';
import { oneLine } from '../../base/text.ts';
import type { Config } from '../../config/config.ts';
import type { NewEvent, RunEvent } from '../../core/event/event.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import type { RunState } from '../../core/state/state.ts';
import { commitFirst, foldFirst } from '../../ledger/commit-queue.ts';
import type { Lease } from '../../ledger/lease.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type Holding, withLease } from '../../project/with-lease.ts';
import { configuredFacts } from '../../workspace/git/configured-facts.ts';
import { ownFolders } from '../../conversation/conduct.ts';
import { findRepository, type Repository } from '../../workspace/git/repository.ts';
import { treeOfCheckout } from '../../workspace/git/snapshot-checkout.ts';
import { uncommittedNeeds } from './uncommitted-needs.ts';
import { beginWorkspace } from '../../workspace/git/room/begin-workspace.ts';
import type { EarlierWork } from '../../workspace/git/room/earlier-work.ts';
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
  /** See `WorkspaceSpec`. */
  readonly buildsOn?: readonly EarlierWork[];
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
    const begun = spec.workspace && (await beginIn(run, spec.workspace));
    const workspace = begun?.facts;
    const first = spec.events(run, workspace);
    const remark = (): void => begun?.remarks.forEach((text) => warn(new Error(text)));
    if (spec.isTrial === true) {
      remark();
      return work({ lease, state: stateAfter(first) });
    }
    const { state, events } = ledger.atomically(() => {
      spec.check?.(run);
      const committed = commitFirst(first, { lease, clock: systemClock });
      spec.created?.(run);
      return committed;
    });
    for (const event of events) seen?.(event, state);
    if (workspace !== undefined) for (const note of workspaceNotes(workspace)) warn(new Error(note));
    remark();
    for (const need of await needsOf(begun, spec.workspace, state)) warn(new Error(need));
    return work({ lease, state });
  });
}

/** The state of a run with these first events, in memory only. */
export function stateAfter(events: readonly NewEvent[]): RunState {
  return foldFirst(events, systemClock).state;
}

async function needsOf(
  begun: Begun | undefined,
  spec: RunWorkspaceSpec | undefined,
  state: RunState,
): Promise<readonly string[]> {
  if (begun?.repository === undefined || spec === undefined) return [];
  return uncommittedNeeds(begun.repository, begun.facts, state, spec.config.drivers);
}

interface Begun {
  /** Absent where agents share the checkout. */
  readonly repository?: Repository;
  readonly facts: WorkspaceFacts;
  readonly remarks: readonly string[];
}

async function beginIn(run: RunId, spec: RunWorkspaceSpec): Promise<Begun> {
  const { kind, project, environment, config, own = [], baseBranch, buildsOn } = spec;
  const repository = await findRepository(project, environment);
  const { prefix } = repository;
  if (kind === 'checkout') {
    // What `divisi diff` compares with.
    const base = await treeOfCheckout(repository, ownFolders);
    const nowhere = { base, branch: '', identity: { name: '', email: '' }, uncommitted: 0 };
    return { facts: { kind, prefix, ...nowhere, ...config.workspace, setup: [] }, remarks: [] };
  }
  const { sign } = config.workspace;
  const starting = { run, own, sign, at: Date.now(), ...defined({ baseBranch, buildsOn }) };
  const { facts, remarks } = await beginWorkspace(repository, starting);
  const configured = await configuredFacts(repository, facts.base, config.workspace);
  return { repository, facts: { prefix, ...facts, ...configured }, remarks };
}

/** What a person should know about rooms before the first one is made. */
function workspaceNotes({ uncommitted, base, included, unmatched = [] }: WorkspaceFacts): string[] {
  // Uncommitted changes stay in the checkout; agents do not see them.
  const what = uncommitted === 1 ? 'one change in your checkout is' : `${uncommitted} changes in your checkout are`;
  const files = included === 1 ? 'a file or folder' : `${included} files or folders`;
  return [
    ...(uncommitted === 0
      ? []
      : [`${what} not committed and not part of the run, which starts at ${base.slice(0, 10)}`]),
    ...(included === undefined ? [] : [`each room gets a copy of ${files} that .worktreeinclude names`]),
    ...unmatched.map((pattern) => `${oneLine(pattern, 200)} matches no untracked file of your checkout`),
  ];
}
