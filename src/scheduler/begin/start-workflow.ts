/** A workflow becomes a run, as a plan does, without a file: on record before anything starts, and worked on until it comes to rest. */
import { checkAgents } from '../../agents/registry.ts';
import { newRunId, type RunId } from '../../base/ids.ts';
import type { EventOf, NewEvent, RunEvent } from '../../core/event/event.ts';
import type { PlannedTask } from '../../core/event/planned-task.ts';
import { coreVersion, type RunState } from '../../core/state/state.ts';
import type { CommandStage, Workflow } from '../../core/event/workflow.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { recordEvents } from '../../ledger/record-events.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { beginRunWorkspace } from './begin-run-workspace.ts';
import { drive, runDriver, type RunHooks, type RunOptions, warnOfUncommitted } from '../drive-project.ts';
import type { ProjectSettings } from '../../project/project-folder.ts';
import { systemClock } from '../system-clock.ts';
import { withLease } from '../../project/with-lease.ts';

export interface WorkflowRun {
  readonly title: string;
  readonly goal: string;
  readonly workflow: Workflow;
  readonly waves: readonly { readonly title: string; readonly tasks: readonly PlannedTask[] }[];
  /** Those that lie behind a command when its run begins. */
  readonly stages?: readonly { readonly stage: CommandStage; readonly note: string }[];
  readonly concurrency: number;
  readonly driver?: string;
  readonly deadlines?: EventOf<'run.created'>['settings']['deadlines'];
  readonly mode?: EventOf<'run.created'>['settings']['mode'];
  /** Failures are tried again by their policy, and people are asked. False: how an attempt ends is how its task ends. */
  readonly gated: boolean;
  /** Files that Divisi keeps in step for it, relative to the project. */
  readonly own?: readonly string[];
  /** Agents that may be asked later. */
  readonly agents?: readonly string[];
}

export interface StartWorkflow {
  readonly ledger: Ledger;
  readonly settled: ProjectSettings;
  readonly options: RunOptions;
  readonly hooks: (run: RunId) => RunHooks;
  /** In the transaction that creates the run: what must be true for it, and what is true with it. */
  readonly created?: (run: RunId) => void;
}

export async function startWorkflow(spec: WorkflowRun, given: StartWorkflow): Promise<RunState> {
  const { ledger, settled, options, hooks } = given;
  const { project, environment } = options;
  const named = spec.waves.flatMap(({ tasks }) => tasks.map(({ agent }) => agent));
  checkAgents(settled.agents, [...named, ...(spec.agents ?? [])]);
  const run = newRunId(new Date(), Math.random);
  const settings = settingsOf(spec, settled);
  const driver = await runDriver(settings, settled, options);
  const workspace = await beginRunWorkspace({ project, environment, run, config: settled.config, own: spec.own ?? [] });
  return withLease(ledger, run, options, async (lease) => {
    let events: readonly RunEvent[] = [];
    const committed = (all: readonly RunEvent[]): void => {
      events = all;
    };
    const state = ledger.atomically(() => {
      given.created?.(run);
      return recordEvents(undefined, firstEvents(run, spec, settings, workspace), {
        lease,
        clock: systemClock,
        committed,
      });
    });
    for (const event of events) options.seen(event, state);
    warnOfUncommitted(workspace, options);
    return drive(state, null, { ledger, lease, driver, settled, options, hooks: hooks(run) });
  });
}

type Settings = EventOf<'run.created'>['settings'];

function settingsOf(spec: WorkflowRun, { config }: ProjectSettings): Settings {
  const { concurrency, driver = config.driver ?? '', deadlines = {}, mode = 'default', gated } = spec;
  return { concurrency, driver, deadlines: { ...config.deadlines, ...deadlines }, mode, budgets: {}, gated };
}

function firstEvents(run: RunId, spec: WorkflowRun, settings: Settings, workspace: WorkspaceFacts): NewEvent[] {
  const { title, goal, workflow, waves, stages = [] } = spec;
  return [
    {
      kind: 'run.created',
      run,
      core: coreVersion,
      plan: { file: '', hash: '', title, goal },
      settings,
      waves: waves.length,
      checkpoints: [],
      workspace,
      workflow,
    },
    ...stages.map((one): NewEvent => ({ kind: 'stage.reached', ...one })),
    ...waves.map((wave, at): NewEvent => ({
      kind: 'wave.planned',
      wave: at + 1,
      number: at + 1,
      title: wave.title,
      reviewTier: 'deep',
      tasks: [...wave.tasks],
    })),
  ];
}
