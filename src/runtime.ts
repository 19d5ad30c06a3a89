/** The composition root: where a project's files, its ledger, a driver and the scheduler become a run. */
import { join } from 'node:path';
import { agentDrivers, checkAgents } from './agents/registry.ts';
import { tuttiError } from './contracts/error.ts';
import { delegationIds, newRunId, type RunId } from './contracts/ids.ts';
import type { NewEvent, RunEvent } from './core/event.ts';
import type { RunState, RunStatus } from './core/state.ts';
import type { WorkspaceFacts } from './core/verification.ts';
import type { Driver, DriverTask } from './drivers/driver.ts';
import { driverFor } from './drivers/find-driver.ts';
import { recoverSaid } from './drivers/said.ts';
import { type Lease } from './ledger/lease.ts';
import { type Ledger, type LedgerReader, openLedger } from './ledger/ledger.ts';
import type { RunRow } from './ledger/run-rows.ts';
import { answerEvents, type CheckpointAnswer, chooseCheckpoints } from './scheduler/answer-events.ts';
import { beginRunWorkspace } from './scheduler/begin-run-workspace.ts';
import { checkAnyOpen, checkNoneUnfinished, createRun, readRunPlan, refuseOwnAgents } from './scheduler/create-run.ts';
import { answerConducted, isConducted, refuseConducted, stopConducted } from './scheduler/conduct-run.ts';
import { driveRun, finishView, type RunControls } from './scheduler/drive-run.ts';
import { foldRun } from './ledger/fold-run.ts';
import { reapRun } from './scheduler/living-verifier.ts';
import { recoverDelegation } from './scheduler/perform-delegation.ts';
import type { PlanOptions } from './scheduler/plan-run.ts';
import { loadProject, prepareFolder, type ProjectSettings } from './scheduler/project-folder.ts';
import { type Recover, reconcile } from './scheduler/reconcile.ts';
import { type RecordDeps, recordEvents } from './ledger/record-events.ts';
import type { ResumeFrom } from './scheduler/resume-work.ts';
import { runRepository } from './scheduler/run-repository.ts';
import { directoryIn, runWorkspace } from './scheduler/run-workspace.ts';
import { stopEvents } from './scheduler/stop-events.ts';
import { systemClock } from './scheduler/system-clock.ts';
import { unwrittenLog } from './scheduler/unwritten-log.ts';
import { livingHolder, withLease } from './scheduler/with-lease.ts';
import { loadRoles } from './workspace/load-roles.ts';

export interface RunOptions {
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  /** How this process is called, for whoever finds the run held by it. */
  readonly command: string;
  readonly seen: (event: RunEvent, state: RunState) => void;
  readonly warn: (error: unknown) => void;
  /** The run is held on another machine, and a person says that nobody works on it there any more. */
  readonly takeOver?: boolean;
  /** Gives a hand on the run; called once, before anything starts. */
  readonly controls?: (controls: RunControls) => void;
  /** Whether somebody is there to answer; without, a run that needs an answer is paused. */
  readonly atCheckpoint?: 'wait' | 'pause';
  /** Puts something between the run and its driver, such as a recorder. */
  readonly through?: (driver: Driver) => Driver;
}

export interface NewRunOptions extends RunOptions, PlanOptions {
  /** The hash of what a person has seen: of another plan no command is run. Absent where a person passes it. */
  readonly confirmed?: string;
}

export interface ResumeOptions extends RunOptions {
  /** Everything from there on is done again, whatever became of it. */
  readonly from?: ResumeFrom;
  /** Goes on without what failed. */
  readonly skipFailed?: boolean;
  /** Has an agent look first whether what counts as completed still holds. */
  readonly audit?: boolean;
}

export const ledgerFile = (project: string): string => join(project, '.tutti', 'ledger.db');

/** For looking: makes nothing, locks nothing, and finds no runs where there is no ledger. */
export function readLedger(project: string): LedgerReader {
  return openLedger(ledgerFile(project), { readOnly: true });
}

/** Runs the plan to its end, or until it is paused. */
export async function runPlan(file: string, options: NewRunOptions): Promise<RunState> {
  const { project, environment, concurrency, driver: asked, mode } = options;
  const settled = await loadProject(project, options.warn);
  const { config, agents } = settled;
  const more = {
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(asked === undefined ? {} : { driver: asked }),
    ...(mode === undefined ? {} : { mode }),
  };
  const read = await readRunPlan({ project, file, config, agents, ...more });
  const { settings } = read;
  const isConfirmed = options.confirmed === undefined || options.confirmed === read.hash;
  if (!isConfirmed) refuseOwnAgents(read);
  const driver = await runDriver(settings, settled, options);
  return withLedger(project, async (ledger) => {
    const run = newRunId(new Date(), Math.random);
    checkNoneUnfinished(ledger, read.file);
    checkAnyOpen(read);
    const workspace = await beginRunWorkspace({ project, environment, run, config, read });
    return withLease(ledger, run, options, async (lease) => {
      const { state, events } = createRun(ledger, lease, { ...read, workspace, isConfirmed }, systemClock);
      for (const event of events) options.seen(event, state);
      warnOfUncommitted(workspace, options);
      return drive(state, null, { ledger, lease, driver, settled, options });
    });
  });
}

/** Goes on with a run: one that was interrupted, or one that ended without completing. */
export async function resumeRun(row: RunRow, options: ResumeOptions): Promise<RunState> {
  const { project, from, skipFailed, audit } = options;
  const settled = await loadProject(project, options.warn);
  return withLedger(project, (ledger) =>
    withLease(ledger, row.run, options, async (lease) => {
      const log = unwrittenLog();
      const state = foldRun(ledger, row.run, log.seen);
      refuseConducted(state);
      if (state.status === 'completed' && from === undefined) {
        const { seen, warn } = options;
        const view = { project, lease, clock: systemClock, unwritten: log.lines(), seen, warn };
        await finishView(state, view).catch(warn);
        throw tuttiError('RUN_ENDED', {
          message: `${row.run} has completed; there is nothing to resume`,
          next: `\`tutti report ${row.run}\` shows what was done; \`tutti resume ${row.run} from wave 1\` does it again; \`tutti run PLAN\` begins a new run.`,
          ids: { run: row.run },
        });
      }
      checkNoneUnfinished(ledger, state.planFile, row.run);
      checkAgents(settled.agents, new Set(Array.from(state.tasks.values(), ({ planned }) => planned.agent)));
      const driver = await runDriver(state.created.settings, settled, options);
      const start = { ...(skipFailed === undefined ? {} : { skipFailed }), ...(audit === undefined ? {} : { audit }) };
      const resume = { ...(from === undefined ? {} : { from }), ...(skipFailed === undefined ? {} : { skipFailed }) };
      return drive(state, { unwritten: log.lines(), resume, start }, { ledger, lease, driver, settled, options });
    }),
  );
}

async function runDriver(
  settings: RunState['created']['settings'],
  { config, agents }: ProjectSettings,
  { project, environment }: Pick<RunOptions, 'project' | 'environment'>,
): Promise<Driver> {
  const name = settings.driver === '' ? undefined : settings.driver;
  return driverFor(name, { config, plan: settings, agentDrivers: agentDrivers(agents), project, environment });
}

/** What a person has not committed stays where it is; agents do not see it. */
function warnOfUncommitted({ uncommitted, base }: WorkspaceFacts, { warn }: RunOptions): void {
  if (uncommitted === 0) return;
  const what = uncommitted === 1 ? 'one change in your checkout is' : `${uncommitted} changes in your checkout are`;
  warn(new Error(`${what} not committed and not part of the run, which begins at ${base.slice(0, 10)}`));
}

/** Tells the process that works on the run to stop; where there is none, ends the run here. True when it has been told. */
export async function stopRun(row: RunRow, how: 'pause' | 'cancel', options: RunOptions): Promise<boolean> {
  return withLedger(options.project, async (ledger) => {
    if (isConducted(foldRun(ledger, row.run))) {
      stopConducted(row.run, how, { ledger });
      return false;
    }
    if (livingHolder(ledger, row.run, options.takeOver) !== null) {
      ledger.tell(row.run, { kind: how });
      return true;
    }
    await onPaper(ledger, row.run, options, (state, recover) => stopEvents(state, how, recover));
    return false;
  });
}

/** Answers a checkpoint: tells the process that works on the run, or puts it on record where there is none. */
export async function answerRun(
  row: RunRow,
  answer: CheckpointAnswer,
  options: RunOptions,
): Promise<{ readonly told: boolean; readonly status: RunStatus; readonly answered: readonly Answered[] }> {
  return withLedger(options.project, async (ledger) => {
    const { run } = row;
    let answered: readonly Answered[] = [];
    const choose = (state: RunState): void => {
      answered = chooseCheckpoints(state, answer).map(({ id: checkpoint, why }) => ({ checkpoint, why }));
    };
    const before = foldRun(ledger, run);
    if (isConducted(before)) {
      choose(before);
      return { told: false, status: answerConducted(run, answer, { ledger }).status, answered };
    }
    if (livingHolder(ledger, run, options.takeOver) !== null) {
      const { approved, note } = answer;
      choose(before);
      for (const { checkpoint } of answered) {
        ledger.tell(run, { kind: 'answer', checkpoint, approved, ...(note === undefined ? {} : { note }) });
      }
      return { told: true, status: 'running', answered };
    }
    const state = await onPaper(ledger, run, options, async (found, recover) => {
      choose(found);
      return [...(await reconcile(found, recover)), ...answerEvents(found, answer)];
    });
    return { told: false, status: state.status, answered };
  });
}

/** A checkpoint, and what it was about. */
interface Answered {
  readonly checkpoint: string;
  readonly why: string;
}

/** Something is put on record in a run that nobody works on; what was left running is reaped first. */
async function onPaper(
  ledger: Ledger,
  run: RunId,
  options: RunOptions,
  eventsOf: (state: RunState, recover: Recover) => Promise<NewEvent[]>,
): Promise<RunState> {
  return withLease(ledger, run, options, async (lease) => {
    const { project, seen, warn } = options;
    const log = unwrittenLog();
    const state = foldRun(ledger, run, log.seen);
    await reapRun(run);
    const driver = { recover: ({ outputFile }: DriverTask) => recoverSaid(outputFile) };
    const { workspace } = state.created;
    const directoryOf = workspace === undefined ? noWorkspace(run) : directoryIn(project, workspace);
    const { contracts, agents } = await loadRoles(project);
    const recover = recoverDelegation({ project, run, agents, contracts, driver, directoryOf });
    const committed: RecordDeps['committed'] = (events) => events.forEach((event) => log.seen(event, state));
    recordEvents(state, await eventsOf(state, recover), { lease, clock: systemClock, committed });
    const view = { project, lease, clock: systemClock, unwritten: log.lines(), seen, warn };
    await finishView(state, view).catch(warn);
    return state;
  });
}

interface Drive {
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly driver: Driver;
  readonly settled: ProjectSettings;
  readonly options: RunOptions;
}

/** What is known of a run that goes on. */
interface Resumed {
  readonly unwritten: readonly string[];
  readonly resume: Pick<ResumeOptions, 'from' | 'skipFailed'>;
  readonly start: Pick<ResumeOptions, 'skipFailed' | 'audit'>;
}

/** `resumed` is null for a new run. */
async function drive(state: RunState, resumed: Resumed | null, given: Drive): Promise<RunState> {
  const { ledger, lease, driver, settled, options } = given;
  const { project, environment, through, command, warn } = options;
  const { repository, facts } = await runRepository(state, project, environment);
  return driveRun(state, {
    project,
    workspace: runWorkspace(state, facts, { project, repository, environment, warn }),
    ledger,
    lease,
    unwritten: resumed?.unwritten ?? [],
    isNew: resumed === null,
    ...(resumed === null ? {} : { resume: resumed.resume }),
    start: resumed?.start ?? {},
    agents: settled.agents,
    contracts: settled.contracts,
    driver: through === undefined ? driver : through(driver),
    clock: systemClock,
    newDelegation: delegationIds(systemClock, Math.random),
    grace: settled.config.grace * 1000,
    atCheckpoint: options.atCheckpoint ?? 'pause',
    command,
    seen: options.seen,
    warn: options.warn,
    controls: options.controls ?? (() => undefined),
  });
}

/** A run of agents has always had one. */
function noWorkspace(run: string): () => never {
  return () => {
    throw new Error(`${run} has no workspace`);
  };
}

/** The project's ledger, to write; made where there is none. */
export async function withLedger<T>(project: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  await prepareFolder(project);
  const ledger = openLedger(ledgerFile(project));
  try {
    return await work(ledger);
  } finally {
    ledger.close();
  }
}
