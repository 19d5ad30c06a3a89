/** A plan that was never a text, before a run begins with it: ids are there once, and every dependency can be met. */
import { divisiError } from '../base/error.ts';
import type { PlanFault } from './plan-fault.ts';
import { blameCycles, checkDependencies, levels } from './plan-graph.ts';
import type { Plan, PlanTask } from './plan.ts';

/** Throws PLAN_INVALID with the faults, one to a line. */
export function checkPlan({ waves }: Plan): void {
  const tasks = new Map<string, PlanTask>();
  /** Those that wait for something: no other is in a cycle. */
  const linked = new Map<string, PlanTask>();
  const waveOf = new Map<string, number>();
  const faults: PlanFault[] = [];
  const blame = (code: PlanFault['code'], line: number, message: string): void => {
    faults.push({ code, line, message });
  };
  for (const [at, wave] of waves.entries()) {
    for (const task of wave.tasks) {
      if (tasks.has(task.id)) blame('duplicate-id', task.line, `${task.id} is there twice`);
      tasks.set(task.id, task);
      if (task.after.length > 0) linked.set(task.id, task);
      waveOf.set(task.id, at + 1);
    }
  }
  checkDependencies({ tasks, waveOf, waves: new Set(waves.map((_, at) => at + 1)) }, blame);
  blameCycles(linked, levels(linked), blame);
  if (faults.length === 0) return;
  throw divisiError('PLAN_INVALID', {
    message: faults
      .slice(0, 10)
      .map(({ message }) => message)
      .join('\n'),
    next: 'Correct the plan and try again; nothing was written.',
  });
}
