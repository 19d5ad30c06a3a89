/** Turns a plan into the first events of a run, which hold everything the run needs to know about its plan. */
import { type Agents, defaultAgent, findAgent, plainName } from '../../agents/registry.ts';
import { defined } from '../../base/defined.ts';
import { divisiError } from '../../base/error.ts';
import type { RunId } from '../../base/ids.ts';
import type { EventOf, NewEvent } from '../../core/event/event.ts';
import type { PlannedTask } from '../../core/event/planned-task.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { coreVersion } from '../../core/state/state.ts';
import { checkDelegation } from '../../delegation/check-delegation.ts';
import { runPath } from '../../delegation/path.ts';
import { minimalScope } from '../../delegation/scope-locks.ts';
import { type Plan, type PlanTask, type PlanWave, wordsFor } from '../../plan/plan.ts';

export interface RunPlan {
  readonly run: RunId;
  /** Relative to the project. */
  readonly file: string;
  readonly hash: string;
  readonly plan: Plan;
  readonly settings: EventOf<'run.created'>['settings'];
  /** Absent for a run without agents. */
  readonly workspace?: WorkspaceFacts;
  /** A person has confirmed this version of the plan. */
  readonly isConfirmed?: boolean;
}

/** Keeps a wave of 25,000 tasks from becoming one event of five megabytes. */
const tasksPerEvent = 1000;

/** Number of a wave in the plan → its position in the run. */
export type WaveOrder = ReadonlyMap<number, number>;

export function plannedTask(task: PlanTask, order: WaveOrder): PlannedTask {
  return {
    id: task.id,
    title: task.title,
    description: task.description,
    after: task.after.map((after) => ('wave' in after ? { wave: placeOf(after.wave, order) } : after)),
    scope: minimalScope(task.scope),
    ...(task.forbidden === undefined ? {} : { forbidden: minimalScope(task.forbidden) }),
    accept: [...task.accept],
    tier: task.tier ?? 'standard',
    agent: task.agent ?? defaultAgent,
    done: task.mark === 'x',
    ...defined({ review: task.review, budgets: task.budgets }),
  };
}

function placeOf(wave: number, order: WaveOrder): number {
  const place = order.get(wave);
  if (place === undefined) throw new Error(`the plan has no wave ${wave}`);
  return place;
}

/** Characters; more does not fit into an assignment. */
const longestText = 20_000;

function checkLength({ id, line, accept, title, description }: PlanTask, file: string): void {
  if ([...accept, wordsFor({ title, description })].every((text) => text.length <= longestText)) return;
  throw divisiError('PLAN_INVALID', {
    message: `${file}:${line}: task ${id} has a text of more than ${longestText} characters`,
    next: 'Put the long part into a file, and name it in the task.',
    ids: { file, line, task: id },
  });
}

/** Checks every delegation once: a run that could not finish does not start. */
export function planEvents(given: RunPlan): NewEvent[] {
  const { run, file, hash, plan, settings, workspace } = given;
  const order: WaveOrder = new Map(plan.waves.map(({ number }, at) => [number, at + 1]));
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
        .map(({ afterWave, why }) => ({ afterWave: placeOf(afterWave, order), why })),
      ...defined({ workspace }),
    },
  ];
  for (const [at, { number, title, tasks, reviewTier = 'deep', reviewer }] of plan.waves.entries()) {
    const agents = new Set(tasks.map(({ agent = defaultAgent }) => agent));
    for (const task of tasks) checkLength(task, file);
    for (const agent of agents) checkDelegation(runPath(agent), settings.deadlines, { classes: settings.classes });
    for (let from = 0; from < tasks.length; from += tasksPerEvent) {
      events.push({
        kind: 'wave.planned',
        wave: at + 1,
        number,
        title,
        reviewTier,
        ...defined({ reviewer: reviewer?.agent }),
        tasks: tasks.slice(from, from + tasksPerEvent).map((task) => plannedTask(task, order)),
      });
    }
  }
  if (given.isConfirmed === true) events.push({ kind: 'plan.confirmed', hash });
  return events;
}

/** Gives a task without a tier that of its agent. Applied wherever a plan is read for a run, so plans stay comparable. */
export function withTiers(plan: Plan, agents: Agents): Plan {
  const ofTask = (task: PlanTask): PlanTask => {
    const tier = task.tier ?? findAgent(agents, task.agent ?? defaultAgent).tier;
    return tier === task.tier || tier === undefined ? task : { ...task, tier };
  };
  const ofWave = ({ reviewer, ...wave }: PlanWave): PlanWave => {
    const found = reviewer === undefined ? undefined : agents.byName.get(plainName(reviewer.agent));
    const isOutcome = found === undefined && reviewer?.isCertain === false;
    const reviewTier = wave.reviewTier ?? found?.tier;
    const named = isOutcome ? {} : defined({ reviewer });
    return { ...wave, ...named, ...defined({ reviewTier }), tasks: wave.tasks.map(ofTask) };
  };
  return { ...plan, waves: plan.waves.map(ofWave) };
}
