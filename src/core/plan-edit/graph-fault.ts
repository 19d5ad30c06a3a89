/** Checks that the tasks of a run still form a valid graph after an edit: known dependencies, no cycle. */
import { blameCycles, checkDependencies, type GraphTask, levels } from '../../plan/plan-graph.ts';
import type { Amendment } from '../event/amendment.ts';
import type { PlannedTask } from '../event/planned-task.ts';
import type { RunState } from '../state/state.ts';

interface Placed {
  readonly task: PlannedTask;
  readonly wave: number;
}

/** The first fault, worded for a person. Assumes that the amendments apply one after the other. */
export function graphFault(state: RunState, amendments: readonly Amendment[]): string | undefined {
  const placed = new Map<string, Placed>();
  for (const [id, { planned: task, wave }] of state.tasks) placed.set(id, { task, wave });
  let waves = state.waves.length;
  for (const amendment of amendments) {
    if (amendment.kind === 'add-wave') waves += 1;
    change(placed, amendment);
  }
  const tasks = new Map<string, GraphTask>();
  const waveOf = new Map<string, number>();
  for (const [id, { task, wave }] of placed) {
    // The waves of a run are numbered differently from those of the plan: no number is better than a wrong one.
    if (task.after.some((one) => 'wave' in one && one.wave > waves))
      return `${id} depends on a wave that is not in the run`;
    tasks.set(id, { id, after: task.after, line: 1 });
    waveOf.set(id, wave);
  }
  const faults: string[] = [];
  const blame = (_code: string, _line: number, message: string): unknown => faults.push(message);
  const numbers = new Set(Array.from({ length: waves }, (_, at) => at + 1));
  checkDependencies({ tasks, waveOf, waves: numbers }, blame);
  blameCycles(tasks, levels(tasks), blame);
  return faults[0];
}

function change(placed: Map<string, Placed>, amendment: Amendment): void {
  switch (amendment.kind) {
    case 'add':
      placed.set(amendment.task.id, { task: amendment.task, wave: amendment.wave });
      return;
    case 'remove':
      placed.delete(amendment.task);
      return;
    case 'change': {
      const { task } = amendment;
      placed.set(task.id, { task, wave: placed.get(task.id)?.wave ?? 1 });
      return;
    }
    case 'move': {
      const found = placed.get(amendment.task);
      if (found !== undefined) placed.set(amendment.task, { ...found, wave: amendment.wave });
      return;
    }
    case 'rename':
      rename(placed, amendment.from, amendment.to);
      return;
    // No effect on dependencies.
    case 'add-wave':
    case 'change-wave':
    case 'order':
    case 'tick':
    case 'add-checkpoint':
    case 'remove-checkpoint':
      return;
    default:
      amendment satisfies never;
  }
}

function rename(placed: Map<string, Placed>, from: string, to: string): void {
  const found = placed.get(from);
  if (found === undefined) return;
  placed.delete(from);
  placed.set(to, found);
  for (const [id, { task, wave }] of placed) {
    if (!task.after.some((one) => 'task' in one && one.task === from)) continue;
    const after = task.after.map((one) => ('task' in one && one.task === from ? { task: to } : one));
    placed.set(id, { task: { ...task, after }, wave });
  }
}
