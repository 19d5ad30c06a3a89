/** Previews the run of a plan without starting anything. */
import { defined } from '../../base/defined.ts';
import { relative } from 'node:path';
import { newRunId } from '../../base/ids.ts';
import type { RunState } from '../../core/state/state.ts';
import { acceptCommand } from '../../plan/values/accept-command.ts';
import type { Mode } from '../../plan/plan.ts';
import { type ProposedPlan, risksIn } from '../../views/run/proposed-plan.ts';
import { shownPlan } from '../../views/run/show-plan.ts';
import { type PlanRequest, readRunPlan } from '../../scheduler/begin/read-run-plan.ts';
import { stateAfter } from '../../scheduler/begin/begin-run.ts';
import { planEvents } from '../../scheduler/begin/plan-events.ts';
import { readPlanText } from '../../project/plan-file.ts';
import { loadProject } from '../../project/project-folder.ts';

export interface PlanOptions {
  /** Absolute. */
  readonly project: string;
  readonly concurrency?: number;
  readonly driver?: string;
  readonly mode?: Mode;
}

/** The initial state of the run. */
export async function planRun(file: string, options: PlanOptions & Pick<PlanRequest, 'text'>): Promise<RunState> {
  const { project, concurrency, driver, mode, text } = options;
  const more = {
    ...defined({ text, concurrency, driver, mode }),
  };
  const { config, agents } = await loadProject(project, () => undefined);
  const read = await readRunPlan({ project, file, config, agents, ...more });
  return stateAfter(planEvents({ run: newRunId(new Date(), Math.random), ...read }));
}

/** The commands a plan would run on this machine besides configured agents: acceptance commands and its own agent commands. */
export interface PlanCommands {
  readonly file: string;
  readonly hash: string;
  readonly commands: readonly (readonly string[])[];
}

export async function planCommands(file: string, options: PlanOptions): Promise<PlanCommands> {
  return commandsOf(await planRun(file, options));
}

/** The plan as it is on disk now, for a person to confirm. `file` is absolute. */
export async function readProposed(file: string, options: PlanOptions): Promise<ProposedPlan> {
  const { text } = await readPlanText(file, relative(options.project, file));
  const state = await planRun(file, { ...options, text });
  const { run: _none, status: _yet, ...plan } = shownPlan(state);
  return { ...commandsOf(state), risks: risksIn(text), plan };
}

function commandsOf({ created, tasks }: RunState): PlanCommands {
  const criteria = [...tasks.values()].flatMap(({ planned }) => planned.accept);
  return { file: created.plan.file, hash: created.plan.hash, commands: commandsIn(created.settings, criteria) };
}

/** Each once. `criteria`: of all tasks. */
export function commandsIn(
  { command, repair, review }: RunState['created']['settings'],
  criteria: readonly string[],
): readonly (readonly string[])[] {
  const accept = criteria.map(acceptCommand).filter((one): one is readonly string[] => Array.isArray(one));
  const agents = [command, repair, review].flatMap((argv) => (argv === undefined ? [] : [argv]));
  return [...new Map([...agents, ...accept].map((argv) => [argv.join('\0'), argv])).values()];
}
