/** Show plan: the plan of a run as the ledger has it. `run-report.ts` has the progress. */
import { defined } from '../../base/defined.ts';
import { oneLine } from '../../base/text.ts';
import type { PlannedTask } from '../../core/event/planned-task.ts';
import type { CheckpointState, RunState, WaveState } from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { acceptCommand } from '../../plan/values/accept-command.ts';
import type { Mark, Tier } from '../../plan/plan.ts';
import { taskMark } from './task-report.ts';

export interface ShownTask {
  readonly task: string;
  readonly title: string;
  readonly description: string;
  readonly mark: Mark;
  readonly status: TaskState['progress']['status'];
  readonly tier: Tier;
  readonly agent: string;
  readonly after: PlannedTask['after'];
  readonly scope: readonly string[];
  readonly forbidden?: readonly string[];
  readonly accept: readonly string[];
  /** Tier of the task's own review; absent without one. */
  readonly review?: Tier;
  readonly budgets?: PlannedTask['budgets'];
}

export interface ShownWave {
  readonly wave: number;
  readonly title: string;
  readonly status: WaveState['status'];
  readonly reviewTier: Tier;
  readonly tasks: readonly ShownTask[];
}

export interface ShownCheckpoint {
  readonly checkpoint: string;
  readonly afterWave: number;
  readonly why: string;
  readonly status: CheckpointState['status'];
}

function shownTask(state: RunState, task: TaskState, inPlan: (place: number) => number): ShownTask {
  const { planned, progress } = task;
  const { id, title, description, tier, agent, after, scope, forbidden, accept, review, budgets } = planned;
  return {
    task: id,
    title,
    description,
    mark: taskMark(state, task),
    status: progress.status,
    tier,
    agent,
    after: after.map((one) => ('wave' in one ? { wave: inPlan(one.wave) } : one)),
    scope,
    ...defined({ forbidden }),
    accept,
    ...defined({ review, budgets }),
  };
}

/** Wave numbers, here and in `after`, are the plan's. */
export interface ShownPlan {
  readonly plan: string;
  readonly title: string;
  readonly goal: string;
  readonly settings: RunState['created']['settings'];
  readonly waves: readonly ShownWave[];
  readonly checkpoints: readonly ShownCheckpoint[];
}

export interface ShownRun extends ShownPlan {
  readonly run: string;
  readonly status: string;
}

export function shownPlan(state: RunState): ShownRun {
  const { run, plan, settings } = state.created;
  const inPlan = (place: number): number => state.waves[place - 1]?.inPlan ?? place;
  const task = (one: TaskState): ShownTask => shownTask(state, one, inPlan);
  return {
    run,
    status: state.status,
    plan: state.planFile,
    title: plan.title,
    goal: plan.goal,
    settings,
    waves: state.waves.map(({ inPlan: wave, title, status, reviewTier, tasks }) => ({
      wave,
      title,
      status,
      reviewTier,
      tasks: tasks.map(task),
    })),
    checkpoints: state.checkpoints.flatMap((one) => {
      if (one.kind !== 'planned' || one.status === 'replaced') return [];
      const { id: checkpoint, afterWave, why, status } = one;
      return [{ checkpoint, afterWave: inPlan(afterWave), why, status }];
    }),
  };
}

function list(label: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`      ${label}: ${items.map((item) => oneLine(item, 160)).join(', ')}`];
}

/** Shows a person which criteria Divisi runs as commands. */
function acceptLabel(criterion: string): string {
  return acceptCommand(criterion) === undefined ? 'accept' : 'accept (command)';
}

function taskLines({
  task,
  title,
  mark,
  tier,
  agent,
  after,
  scope,
  forbidden = [],
  accept,
  review,
  budgets = {},
}: ShownTask): string[] {
  return [
    `  [${mark}] ${task} ${oneLine(title, 100)} (${tier}, ${oneLine(agent, 60)})`,
    ...list(
      'after',
      after.map((one) => ('wave' in one ? `wave ${one.wave}` : one.task)),
    ),
    ...list('scope', scope),
    ...list('forbidden', forbidden),
    ...list('review', review === undefined ? [] : [review]),
    ...list(
      'budget',
      Object.entries(budgets).map(([key, amount]) => `${amount} ${key}`),
    ),
    ...accept.map((criterion) => `      ${acceptLabel(criterion)}: ${oneLine(criterion, 200)}`),
  ];
}

function checkpointLine({ why, status }: ShownCheckpoint): string {
  return `  checkpoint (${status})${why === '' ? '' : `: ${oneLine(why, 200)}`}`;
}

/** The whole plan, uncut; each checkpoint follows its wave. */
export function showPlanText(plan: ShownPlan | ShownRun): string {
  const { title, goal, settings, waves, checkpoints } = plan;
  const name = oneLine(title, 100);
  // A run without a plan file has no reviews between its waves.
  const isFile = plan.plan !== '';
  const lines = [
    'run' in plan ? `${plan.run} ${name}: ${plan.status}` : name,
    ...(isFile ? [`plan ${oneLine(plan.plan, 300)}`] : []),
    ...(goal === title ? [] : [`goal ${oneLine(goal, 400)}`]),
    `${settings.concurrency} at a time, driver ${oneLine(settings.driver, 60) || 'not chosen'}`,
  ];
  const behind = Map.groupBy(checkpoints, ({ afterWave }) => afterWave);
  for (const { wave, title: words, status, reviewTier, tasks } of waves) {
    lines.push(
      '',
      `wave ${wave}${words === '' ? '' : ` ${oneLine(words, 100)}`} (${status})`,
      ...tasks.flatMap(taskLines),
      ...(isFile ? [`  review (${reviewTier})`] : []),
    );
    lines.push(...(behind.get(wave) ?? []).map(checkpointLine));
  }
  return lines.join('\n');
}
