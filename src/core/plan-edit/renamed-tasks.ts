/**
 * Finds renamed tasks: those that differ only in their id, with dependencies compared by the new ids.
 *
 * Linear: a task is compared with at most one other, found by its content. Among tasks of equal content, the first is
 * paired with the first, preferring the same wave.
 */
import type { PlanTask } from '../../plan/plan.ts';
import { contentOf, differences } from './compare-tasks.ts';

export interface PlacedTask {
  readonly task: PlanTask;
  readonly wave: number;
  /** Index in the wave. */
  readonly at: number;
}

/** Maps the ids of removed tasks to those of new ones. */
export function renamedTasks(gone: readonly PlacedTask[], fresh: readonly PlacedTask[]): Map<string, string> {
  const pairs = new Map<string, PlacedTask>();
  const taken = new Set<PlacedTask>();
  if (gone.length === 0 || fresh.length === 0) return new Map();
  const contents = new Map([...gone, ...fresh].map((placed) => [placed, contentOf(placed.task)]));
  const pair = (keyOf: (placed: PlacedTask) => string): void => {
    const free = Map.groupBy(fresh.filter((placed) => !taken.has(placed)).toReversed(), keyOf);
    for (const placed of gone) {
      const other = pairs.has(placed.task.id) ? undefined : free.get(keyOf(placed))?.pop();
      if (other === undefined) continue;
      pairs.set(placed.task.id, other);
      taken.add(other);
    }
  };
  pair((placed) => `${placed.wave} ${contents.get(placed)}`);
  pair((placed) => contents.get(placed) ?? '');

  const newId = (id: string): string => pairs.get(id)?.task.id ?? id;
  const renamed = new Map<string, string>();
  for (const { task } of gone) {
    const other = pairs.get(task.id);
    if (other && differences(task, other.task, newId).length === 0) renamed.set(task.id, other.task.id);
  }
  return renamed;
}
