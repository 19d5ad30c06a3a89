/** Runs a project's agents on one run: composes driver, rooms, plan file and workflow hooks into a session, and starts it. */
import { completedTask } from '../run-work/kept-rooms.ts';
import { findAgent } from '../agents/registry.ts';
import { defined } from '../base/defined.ts';
import { DivisiError } from '../base/error.ts';
import { findContract } from '../contracts/registry.ts';
import type { TroubleAnswer } from '../core/event/checkpoint.ts';
import type { NewEvent, RunEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';
import { workKeys } from '../core/attempt/work-key.ts';
import type { Driver } from '../drivers/driver.ts';
import { commitQueue } from '../ledger/commit-queue.ts';
import type { Lease } from '../ledger/lease.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type ReapResult, reap } from '../process/reap.ts';
import { errorLog } from '../project/error-log.ts';
import type { ProjectSettings } from '../project/project-folder.ts';
import { confinementStatus, unconfinedNote } from '../workspace/confine/confinement-status.ts';
import { hashText } from '../workspace/hash-text.ts';
import type { Roles } from '../workspace/load-roles.ts';
import { startNotes } from './begin/start-notes.ts';
import { type PerformDeps, performDelegation, recoverDelegation } from './perform/perform-delegation.ts';
import { noPostflight, performStep, type Postflight, type StepDeps } from './perform/perform-step.ts';
import { type ResumeDeps, resumeWork } from './resume/resume-work.ts';
import { performUpdate } from '../run-work/perform-update.ts';
import { canaryIn } from '../run-work/canary/canary.ts';
import { canVerifyAgain, verifyAgain } from '../run-work/verify-again.ts';
import { type RunControls, runSession, type RunStart, type Workers } from './run-session.ts';
import { systemClock } from '../engine/clock.ts';
import { type Means, startingMeans } from './starting-means.ts';
import { reapRun } from '../run-work/verifier-process.ts';
import { runRepository } from '../run-work/run-repository.ts';
import { type RunWorkspace, runWorkspace } from '../run-work/run-workspace.ts';

export interface RunOptions {
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The command line of this process, shown to others that find the run held. */
  readonly command: string;
  /** Called with each event once it is durable. */
  readonly seen: (event: RunEvent, state: RunState) => void;
  /** Reports a problem that does not stop the run. */
  readonly warn: (error: unknown) => void;
  /** A person confirms that the holder on another machine is gone. */
  readonly takeOver?: boolean;
  /** Receives the controls of the run once, before anything starts. */
  readonly controls?: (controls: RunControls) => void;
  /** `pause` by default: a run that needs an answer does not wait for it. */
  readonly atCheckpoint?: 'wait' | 'pause';
  /** Answers trouble without a person; absent: a person is asked. */
  readonly onTrouble?: TroubleAnswer;
  /** Wraps the driver, for example in a recorder. */
  readonly through?: (driver: Driver) => Driver;
}

/** RunHooks: the side effects of a workflow outside of the core. */
export interface RunHooks {
  readonly postflight: Postflight;
  /** Called after each commit, per event. Not awaited. */
  readonly followed: (event: RunEvent, state: RunState) => void;
  /** Waits for what `followed` has started. */
  readonly idle: () => Promise<void>;
}

/** The hooks of a plan's run. */
export const noHooks: RunHooks = {
  postflight: noPostflight,
  followed: () => undefined,
  idle: async () => undefined,
};

export interface AgentRun {
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly driver: Driver;
  readonly settled: ProjectSettings;
  readonly options: RunOptions;
  readonly hooks: RunHooks;
  /** Absent for a new run. */
  readonly resumed?: ResumeContext;
}

export interface ResumeContext extends Pick<ResumeDeps, 'from' | 'skipFailed'> {
  readonly start: RunStart;
  /** See `unwrittenLog`. */
  readonly unwritten: readonly string[];
}

/** Resolves when the run has ended or is paused. */
export async function runAgents(state: RunState, given: AgentRun): Promise<RunState> {
  const { ledger, lease, settled, options, hooks, resumed } = given;
  const { project, environment, warn, command } = options;
  const unconfined = unconfinedNote(await confinementStatus(project, environment));
  if (unconfined !== undefined) warn(new Error(unconfined));
  for (const note of startNotes(state, settled.agents, settled.config.drivers)) warn(new Error(note));
  const { repository } = await runRepository(state, project, environment);
  const workspaceDeps = { project, repository, environment, warn };
  const workspace = runWorkspace(state, workspaceDeps);
  const means = startingMeans(state, given);
  const update: StepDeps['update'] = async (requested, signal) => {
    const end = await performUpdate(state, requested, workspaceDeps, signal);
    if (end.kind === 'workspace.updated') await means.readAgain();
    return end;
  };
  const commits = commitQueue(state, { lease, clock: systemClock });
  const errors = errorLog({ project, environment }, warn);
  commits.follow((events) => {
    for (const event of events) {
      options.seen(event, state);
      hooks.followed(event, state);
      errors.followed(event, state);
    }
    for (const event of events) removeFolders(event, state, workspace);
  });
  const session = runSession(state, {
    ledger,
    commits,
    workers: agentWorkers(state, { workspace, update, means }, given),
    files: {
      project,
      agents: settled.agents,
      unwritten: resumed?.unwritten ?? [],
      isUnconfined: unconfined !== undefined,
    },
    start: { command, ...resumed?.start, ...defined({ onTrouble: options.onTrouble }) },
    grace: settled.config.grace * 1000,
    atCheckpoint: options.atCheckpoint ?? 'pause',
    warn,
  });
  options.controls?.(session);
  await session.start();
  await hooks.idle();
  await errors.end(state);
  return state;
}

function agentWorkers(
  state: RunState,
  { workspace, update, means }: Pick<StepDeps, 'workspace' | 'update'> & { readonly means: Means },
  given: AgentRun,
): Workers {
  const { settled, options, hooks, resumed } = given;
  const { project, environment, warn } = options;
  const { agents, contracts } = settled;
  const { run } = state.created;
  const { directoryOf } = workspace;
  const place = { project, environment, run };
  const performing: PerformDeps = {
    ...place,
    agents,
    contracts,
    clock: systemClock,
    workspace,
    directoryOf,
    get driver() {
      return means.driver;
    },
    get limits() {
      return means.limits;
    },
  };
  const keys = currentKeys(state, { agents, contracts });
  const resume: Workers['resume'] = async (record, signal) => {
    const again = verifierOf(state, workspace, warn, signal);
    if (!(await finishUpdates(state, update, record, signal))) return;
    await resumeWork(state, { project, agents, branch: workspace, ...resumed, verifyAgain: again, keys, record });
  };
  return {
    perform: performDelegation(performing),
    performStep: performStep({
      run,
      workspace,
      planFile: () => state.planFile,
      postflight: hooks.postflight,
      update,
      canary: canaryIn(workspace, run),
    }),
    recover: recoverDelegation(performing),
    keyOf: (task) => keys().get(task),
    open: async () => {
      warnOfLeft(await reapRun(run), state, warn);
      await workspace.prepare();
    },
    tryOut: async (signal) => {
      try {
        await workspace.tryOutSetUp(signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    ...(resumed === undefined ? {} : { resume }),
    reap: (cause) => reapOwn(state, cause),
    idle: () => workspace.idle(),
    disk: workspace.disk,
  };
}

/** Comes first: an update that was merged and not recorded must not look like the commits of others. False when it was stopped. */
async function finishUpdates(
  { merge, updates }: RunState,
  update: StepDeps['update'],
  record: (event: NewEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    for (const one of merge === null ? updates : []) record(await update(one, signal));
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** Warns first, because verification may take long. */
function verifierOf(
  state: RunState,
  workspace: RunWorkspace,
  warn: RunOptions['warn'],
  signal: AbortSignal,
): ResumeDeps['verifyAgain'] {
  return async (tasks: readonly TaskState[], commit: string) => {
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

/** Removes the rooms of a completed task; those of a failed one stay. */
function removeFolders(event: RunEvent, state: RunState, workspace: RunWorkspace): void {
  const task = event.kind === 'task.settled' ? completedTask(state, event.task) : undefined;
  if (task !== undefined) workspace.settled(task);
}

/** After a lost lease the new holder may run agents of its own: only delegations of this session are ended then. */
async function reapOwn(state: RunState, cause: unknown): Promise<void> {
  const { run } = state.created;
  if (!(cause instanceof DivisiError) || cause.code !== 'LEASE_LOST') {
    await reapRun(run);
    return;
  }
  for (const delegation of state.active.keys()) await reap(run, { delegation });
}

/** A needless warning is better than two agents on one task. */
function warnOfLeft(reaped: ReapResult, { active, created }: RunState, warn: RunOptions['warn']): void {
  if (reaped.supported ? reaped.left.length === 0 : active.size === 0) return;
  const pids = reaped.supported ? reaped.left : [...active.values()].flatMap(({ pid }) => (pid === null ? [] : [pid]));
  const list = pids.length === 0 ? '' : ` (look for processes ${pids.join(', ')})`;
  warn(new Error(`agents of an earlier session of ${created.run} may still be running${list}; end them if they are`));
}

/** The work key of each task; computed on first use and again after the plan has changed. */
function currentKeys(state: RunState, roles: Roles): () => ReadonlyMap<string, string> {
  let keys: ReadonlyMap<string, string> | undefined;
  let amendments = -1;
  return () => {
    if (keys !== undefined && amendments === state.amendments) return keys;
    amendments = state.amendments;
    const tasks = Array.from(state.tasks.values(), ({ planned, wave }) => ({ ...planned, wave }));
    keys = workKeys(tasks, (agent) => aboutAgent(agent, roles), hashText);
    return keys;
  };
}

function aboutAgent(name: string, { agents, contracts }: Roles): { instructions: string; contract: string } {
  const { instructions, contract } = findAgent(agents, name);
  return { instructions, contract: `${contract}@${findContract(contracts, contract).version}` };
}
