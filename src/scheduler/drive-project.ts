/** One process takes a run of a project's agents up: its driver, its workspace, its ledger, and what belongs to its workflow. */
import { agentDrivers } from '../agents/registry.ts';
import { delegationIds } from '../base/ids.ts';
import type { RunEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import type { WorkspaceFacts } from '../core/event/verification.ts';
import type { Driver } from '../drivers/driver.ts';
import { driverFor } from '../drivers/find-driver.ts';
import type { Lease } from '../ledger/lease.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { driveRun, type RunControls } from './drive-run.ts';
import { noPostflight, type Postflight } from './perform/perform-step.ts';
import type { ProjectSettings } from '../project/project-folder.ts';
import type { ResumeDeps } from './resume/resume-work.ts';
import { runRepository } from './workspace/run-repository.ts';
import { runWorkspace } from './workspace/run-workspace.ts';
import { systemClock } from './system-clock.ts';
import type { RunStart } from './work-on-run.ts';

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

/** What belongs to the workflow of a run, and happens outside of the core. */
export interface RunHooks {
  readonly postflight: Postflight;
  /** After each commit: views of the workflow follow from here. Not awaited. */
  readonly followed: (event: RunEvent, state: RunState) => void;
  /** Waits for what that has begun, at the end. */
  readonly idle: () => Promise<void>;
}

/** Of a run of a plan. */
export const noHooks: RunHooks = {
  postflight: noPostflight,
  followed: () => undefined,
  idle: async () => undefined,
};

export async function runDriver(
  settings: RunState['created']['settings'],
  { config, agents }: ProjectSettings,
  { project, environment }: Pick<RunOptions, 'project' | 'environment'>,
): Promise<Driver> {
  const name = settings.driver === '' ? undefined : settings.driver;
  return driverFor(name, { config, plan: settings, agentDrivers: agentDrivers(agents), project, environment });
}

/** What a person has not committed stays where it is; agents do not see it. */
export function warnOfUncommitted({ uncommitted, base }: WorkspaceFacts, { warn }: RunOptions): void {
  if (uncommitted === 0) return;
  const what = uncommitted === 1 ? 'one change in your checkout is' : `${uncommitted} changes in your checkout are`;
  warn(new Error(`${what} not committed and not part of the run, which begins at ${base.slice(0, 10)}`));
}

export interface Drive {
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly driver: Driver;
  readonly settled: ProjectSettings;
  readonly options: RunOptions;
  readonly hooks: RunHooks;
}

/** What is known of a run that goes on. */
export interface Resumed {
  readonly unwritten: readonly string[];
  readonly resume: Pick<ResumeDeps, 'from' | 'skipFailed'>;
  readonly start: RunStart;
}

/** `resumed` is null for a new run. */
export async function drive(state: RunState, resumed: Resumed | null, given: Drive): Promise<RunState> {
  const { ledger, lease, driver, settled, options, hooks } = given;
  const { project, environment, through, command, warn } = options;
  const { repository, facts } = await runRepository(state, project, environment);
  const ended = await driveRun(state, {
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
    postflight: hooks.postflight,
    seen: (event, now) => {
      options.seen(event, now);
      hooks.followed(event, now);
    },
    warn: options.warn,
    controls: options.controls ?? (() => undefined),
  });
  await hooks.idle();
  return ended;
}
