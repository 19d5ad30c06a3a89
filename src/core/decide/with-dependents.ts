/** Lists tasks together with all tasks that depend on them. */
import type { RunState } from '../state/state.ts';

export function withDependents({ tasks }: RunState, given: Iterable<string>): Set<string> {
  const all = new Set(given);
  if (all.size === 0) return all;
  const dependents = new Map<string | number, string[]>();
  for (const { planned } of tasks.values()) {
    for (const one of planned.after) {
      const on = 'task' in one ? one.task : one.wave;
      const others = dependents.get(on);
      if (others === undefined) dependents.set(on, [planned.id]);
      else others.push(planned.id);
    }
  }
  // Iterating a set includes elements added on the way.
  for (const id of all) {
    const wave = tasks.get(id)?.wave ?? 0;
    for (const dependent of [...(dependents.get(id) ?? []), ...(dependents.get(wave) ?? [])]) all.add(dependent);
    dependents.delete(wave);
  }
  return all;
}
