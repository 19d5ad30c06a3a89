/** Compares an edited plan file with the plan the run knows. */
import type { Agents } from '../../agents/registry.ts';
import { comparePlans } from '../../core/plan-edit/compare-plans.ts';
import { isEditAsked } from '../../core/decide/decide-edits.ts';
import { planOf } from '../../core/plan-edit/plan-of.ts';
import type { RunState } from '../../core/state/state.ts';
import type { PlanEdited } from '../../engine/engine.ts';
import type { Mark, Plan } from '../../plan/plan.ts';
import { taskMark } from '../../views/run/task-report.ts';
import { planAmendments } from './plan-amendments.ts';
import { planIsReachable } from './plan-is-reachable.ts';
import { withTiers } from '../begin/plan-events.ts';
import type { PlanFound } from './plan-view.ts';

/** `isUnconfined`: agents at work can write the file. */
export function planEdited(state: RunState, found: PlanFound, agents: Agents, isUnconfined = false): PlanEdited {
  const { file, hash, before, marks } = found;
  if ('fault' in found.now) {
    const conflicts = [`not a valid plan (${found.now.fault}); the run continues with the plan it knows`];
    return { file, hash, amendments: [], toConfirm: [], conflicts, isUnreadable: true };
  }
  const now = withTiers(found.now, agents);
  // An earlier edit that awaits an answer is not in the run yet: this edit includes it.
  const isWhole = before === undefined || isEditAsked(state);
  const shown = new Map([...marksOf(state), ...marks]);
  const base = isWhole
    ? planOf(state, shown, before?.settings ?? now.settings)
    : withMarks(withTiers(before, agents), marks);
  return { file, hash, ...planAmendments(state, comparePlans(base, now), now, planIsReachable(state, isUnconfined)) };
}

/** The marks the file would show if it were written now. */
function marksOf(state: RunState): ReadonlyMap<string, Mark> {
  return new Map(Array.from(state.tasks, ([id, task]) => [id, taskMark(state, task)]));
}

function withMarks(plan: Plan, marks: ReadonlyMap<string, Mark>): Plan {
  if (marks.size === 0) return plan;
  const waves = plan.waves.map((wave) => ({
    ...wave,
    tasks: wave.tasks.map((task) => ({ ...task, mark: marks.get(task.id) ?? task.mark })),
  }));
  return { ...plan, waves };
}
