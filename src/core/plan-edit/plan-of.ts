/** Rebuilds the current plan of a run from its state, independent of the plan file. */
import { defined } from '../../base/defined.ts';
import type { Mark, Plan, PlanSettings, PlanTask } from '../../plan/plan.ts';
import type { PlannedTask } from '../event/planned-task.ts';
import type { RunState } from '../state/state.ts';

/** `marks` are those of the file; a task without one is open. A run does not record the plan's settings. */
export function planOf(state: RunState, marks: ReadonlyMap<string, Mark>, settings: PlanSettings): Plan {
  const inPlan = (wave: number): number => state.waves[wave - 1]?.inPlan ?? wave;
  const task = ({ done, budgets, review, forbidden, after, ...planned }: PlannedTask): PlanTask => ({
    ...planned,
    mark: marks.get(planned.id) ?? (done ? 'x' : ' '),
    after: after.map((one) => ('wave' in one ? { wave: inPlan(one.wave) } : one)),
    ...defined({ forbidden, review }),
    ...(budgets === undefined ? {} : { budgets: budgets as NonNullable<PlanTask['budgets']> }),
    line: 1,
  });
  const { title, goal } = state.created.plan;
  return {
    title,
    goal,
    settings,
    checkpoints: state.checkpoints.flatMap((one) => {
      if (one.kind !== 'planned' || one.status === 'replaced') return [];
      const { afterWave, why, status } = one;
      return [{ afterWave: inPlan(afterWave), why, ...(status === 'approved' ? { passed: true } : {}) }];
    }),
    waves: state.waves.map((wave) => ({
      number: wave.inPlan,
      title: wave.title,
      ...(wave.reviewTier === 'deep' ? {} : { reviewTier: wave.reviewTier }),
      ...(wave.reviewer === undefined ? {} : { reviewer: { agent: wave.reviewer, isCertain: true } }),
      tasks: wave.tasks.map(({ planned }) => task(planned)),
      line: 1,
    })),
  };
}
