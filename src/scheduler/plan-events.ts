/** A plan as the first events of a run. Everything a run needs to know about its plan is in them. */
import type { RunId } from '../contracts/ids.ts';
import type { EventOf, NewEvent, PlannedTask } from '../core/event.ts';
import { coreVersion } from '../core/state.ts';
import { checkDelegation } from '../delegation/check-delegation.ts';
import { minimalScope } from '../delegation/scope-locks.ts';
import type { Plan, PlanTask } from '../plan/plan.ts';
import { runPath } from '../delegation/path.ts';

export interface RunPlan {
  readonly run: RunId;
  /** Relative to the project. */
  readonly file: string;
  readonly hash: string;
  readonly plan: Plan;
  readonly settings: EventOf<'run.created'>['settings'];
}

/** A wave of 25,000 tasks is not one event of five megabytes. */
const tasksPerEvent = 1000;

export const defaultAgent = 'worker';

function planned(task: PlanTask): PlannedTask {
  return {
    id: task.id,
    title: task.title,
    description: task.description,
    after: [...task.after],
    scope: minimalScope(task.scope),
    accept: [...task.accept],
    tier: task.tier ?? 'standard',
    agent: task.agent ?? defaultAgent,
    done: task.mark === 'x',
  };
}

/** Every delegation is checked here once, so that a run does not begin that could not end. */
export function planEvents({ run, file, hash, plan, settings }: RunPlan): NewEvent[] {
  const events: NewEvent[] = [
    {
      kind: 'run.created',
      run,
      core: coreVersion,
      plan: { file, hash, title: plan.title, goal: plan.goal },
      settings,
      waves: plan.waves.length,
      checkpoints: plan.checkpoints
        .filter(({ passed }) => passed !== true)
        .map(({ afterWave, why }) => ({ afterWave, why })),
    },
  ];
  for (const [at, { title, tasks }] of plan.waves.entries()) {
    const agents = new Set(tasks.map(({ agent = defaultAgent }) => agent));
    for (const agent of agents) checkDelegation(runPath(agent), settings.deadlines);
    for (let from = 0; from < tasks.length; from += tasksPerEvent) {
      events.push({
        kind: 'wave.planned',
        wave: at + 1,
        title,
        tasks: tasks.slice(from, from + tasksPerEvent).map(planned),
      });
    }
  }
  return events;
}
