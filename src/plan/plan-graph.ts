/** Plan graph: checks the dependencies between tasks, and assigns waves to tasks that have none. */
import { divisiError } from '../base/error.ts';
import type { Blame, PlanFault } from './plan-fault.ts';
import type { Plan, PlanTask } from './plan.ts';

/** The part of a task that matters here. */
export type GraphTask = Pick<PlanTask, 'id' | 'after' | 'line'>;

/** Tasks with the number of their wave; 0 in a plan without waves. */
export interface Graph {
  readonly tasks: ReadonlyMap<string, GraphTask>;
  readonly waveOf: ReadonlyMap<string, number>;
  readonly waves: ReadonlySet<number>;
}

const mostShown = 12;

export function checkDependencies({ tasks, waveOf, waves }: Graph, blame: Blame): void {
  for (const task of tasks.values()) {
    const own = waveOf.get(task.id) ?? 0;
    for (const dependency of task.after) {
      if ('wave' in dependency) {
        const { wave } = dependency;
        if (!waves.has(wave))
          blame('unknown-dependency', task.line, `${task.id} waits for wave ${wave}, which is not in the plan`);
        else if (wave >= own)
          blame(
            'later-wave',
            task.line,
            `${task.id} is in wave ${own} and waits for wave ${wave}, which is not before it`,
          );
        continue;
      }
      const other = waveOf.get(dependency.task);
      if (other === undefined) {
        blame('unknown-dependency', task.line, `${task.id} waits for ${dependency.task}, which is not in the plan`);
      } else if (other > own) {
        blame(
          'later-wave',
          task.line,
          `${task.id} is in wave ${own} and waits for ${dependency.task} of wave ${other}`,
        );
      }
    }
  }
}

/**
 * The length of the longest chain that ends at each task, from 1; tasks in or after a cycle have none. Follows only edges
 * between tasks: waves cannot form a cycle, because each waits for earlier ones.
 */
export function levels(tasks: ReadonlyMap<string, GraphTask>): Map<string, number> {
  const dependents = new Map<string, string[]>();
  const missing = new Map<string, number>();
  for (const { id, after } of tasks.values()) {
    let count = 0;
    for (const dependency of after) {
      if (!('task' in dependency) || !tasks.has(dependency.task)) continue;
      count += 1;
      const list = dependents.get(dependency.task);
      if (list) list.push(id);
      else dependents.set(dependency.task, [id]);
    }
    missing.set(id, count);
  }
  const ready = [...tasks.keys()].filter((id) => missing.get(id) === 0);
  const found = new Map(ready.map((id) => [id, 1]));
  for (let at = 0; at < ready.length; at += 1) {
    const id = ready[at] ?? '';
    const level = found.get(id) ?? 1;
    for (const dependent of dependents.get(id) ?? []) {
      const left = (missing.get(dependent) ?? 0) - 1;
      missing.set(dependent, left);
      if (left > 0) continue;
      // Tasks come by level: the last dependency has the highest one.
      found.set(dependent, level + 1);
      ready.push(dependent);
    }
  }
  return found;
}

/** Every task without a level waits for another one without a level: following those leads into a cycle. */
export function blameCycles(
  tasks: ReadonlyMap<string, GraphTask>,
  level: ReadonlyMap<string, number>,
  blame: Blame,
): void {
  const seen = new Set<string>();
  for (const start of tasks.keys()) {
    const path = new Map<string, number>();
    let at: string | undefined = start;
    while (at !== undefined && !level.has(at) && !seen.has(at)) {
      seen.add(at);
      path.set(at, path.size);
      at = tasks
        .get(at)
        ?.after.flatMap((one) => ('task' in one && tasks.has(one.task) && !level.has(one.task) ? [one.task] : []))[0];
    }
    const from = at === undefined ? undefined : path.get(at);
    if (at === undefined || from === undefined) continue;
    const cycle = [...path.keys()].slice(from);
    const shown = cycle.length > mostShown ? [...cycle.slice(0, mostShown - 1), '…'] : cycle;
    blame('cycle', tasks.get(at)?.line ?? 1, `tasks wait for each other: ${[...shown, at].join(' → ')}`);
  }
}

/** Checks a plan that was never a text. Throws PLAN_INVALID with one fault per line. */
export function checkPlan({ waves }: Plan): void {
  const tasks = new Map<string, PlanTask>();
  /** Tasks with dependencies: only these can be in a cycle. */
  const linked = new Map<string, PlanTask>();
  const waveOf = new Map<string, number>();
  const faults: PlanFault[] = [];
  const blame = (code: PlanFault['code'], line: number, message: string): void => {
    faults.push({ code, line, message });
  };
  for (const [at, wave] of waves.entries()) {
    for (const task of wave.tasks) {
      if (tasks.has(task.id)) blame('duplicate-id', task.line, `${task.id} is declared twice`);
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
    next: 'Fix the plan and try again; nothing was written.',
  });
}
