/** Starts the run of a workflow without a plan file: a command, an architect or features. */
import { checkAgents } from '../../agents/registry.ts';
import { defined } from '../../base/defined.ts';
import type { RunId } from '../../base/ids.ts';
import type { EventOf, NewEvent } from '../../core/event/event.ts';
import type { PlannedTask } from '../../core/event/planned-task.ts';
import { coreVersion, type RunState } from '../../core/state/state.ts';
import type { CommandStage } from '../../core/event/workflow-step.ts';
import type { Workflow } from '../../core/event/workflow.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { classesOf } from '../../delegation/deadline.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ProjectSettings } from '../../project/project-folder.ts';
import { runAgents, type RunHooks, type RunOptions } from '../agent-run.ts';
import { runDriver } from '../starting-means.ts';
import { beginRun, type RunSpec } from './begin-run.ts';

export interface WorkflowRun {
  readonly title: string;
  readonly goal: string;
  readonly workflow: Workflow;
  readonly waves: readonly { readonly title: string; readonly tasks: readonly PlannedTask[] }[];
  /** Stages that a command has passed before its run starts. */
  readonly stages?: readonly { readonly stage: CommandStage; readonly note: string }[];
  readonly concurrency: number;
  readonly driver?: string;
  readonly deadlines?: EventOf<'run.created'>['settings']['deadlines'];
  readonly mode?: EventOf<'run.created'>['settings']['mode'];
  /** Failures are retried by their policy, and people are asked. False: the end of an attempt is the end of its task. */
  readonly gated: boolean;
  /** Files that Divisi keeps in sync, relative to the project. */
  readonly own?: readonly string[];
  /** Agents that later steps may need. */
  readonly agents?: readonly string[];
}

export interface StartWorkflow extends Pick<RunSpec, 'check' | 'created'> {
  readonly ledger: Ledger;
  readonly settled: ProjectSettings;
  readonly options: RunOptions;
  readonly hooks: (run: RunId) => RunHooks;
}

/** Resolves when the run has ended or is paused. */
export async function startWorkflow(given: WorkflowRun, ports: StartWorkflow): Promise<RunState> {
  const { ledger, settled, options, hooks, check, created } = ports;
  const { project, environment } = options;
  const named = given.waves.flatMap(({ tasks }) => tasks.map(({ agent }) => agent));
  checkAgents(settled.agents, [...named, ...(given.agents ?? [])]);
  const settings = settingsOf(given, settled);
  const driver = await runDriver(settings, settled, options);
  const spec: RunSpec = {
    workspace: { kind: 'rooms', project, environment, config: settled.config, own: given.own ?? [] },
    events: (run, facts) => firstEvents(run, given, settings, facts),
    ...defined({ check, created }),
  };
  return beginRun(spec, { ...options, ledger }, ({ state, lease }) =>
    runAgents(state, { ledger, lease, driver, settled, options, hooks: hooks(lease.run) }),
  );
}

type Settings = EventOf<'run.created'>['settings'];

function settingsOf(spec: WorkflowRun, { config }: ProjectSettings): Settings {
  const { concurrency, driver = config.driver ?? '', deadlines = {}, mode = 'default', gated } = spec;
  return {
    concurrency,
    driver,
    deadlines: { ...config.deadlines, ...deadlines },
    ...classesOf(config.classes),
    mode,
    budgets: {},
    gated,
  };
}

function firstEvents(
  run: RunId,
  { title, goal, workflow, waves, stages = [] }: WorkflowRun,
  settings: Settings,
  workspace: WorkspaceFacts | undefined,
): NewEvent[] {
  return [
    {
      kind: 'run.created',
      run,
      core: coreVersion,
      plan: { file: '', hash: '', title, goal },
      settings,
      waves: waves.length,
      checkpoints: [],
      ...defined({ workspace }),
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
