/**
 * Finds a person's edits of a plan. Pure, and linear in the size of both plans.
 *
 * Promises: a plan compared with itself has no edits; and the earlier plan with these edits applied equals the later
 * one. Marks other than a tick set or cleared, and the boxes of checkpoints, are not edits: the run writes them.
 */
import { defined } from '../../base/defined.ts';
import type { Plan, PlanCheckpoint, PlanSettings, PlanTask, PlanWave, Tier } from '../../plan/plan.ts';
import { amounts, contentOf, differences, type NewId } from './compare-tasks.ts';
import type { PlanEdit } from './plan-edit.ts';

interface PlacedTask {
  readonly task: PlanTask;
  readonly wave: number;
  /** Index in the wave. */
  readonly at: number;
}

export function comparePlans(base: Plan, now: Plan): readonly PlanEdit[] {
  const before = placedTasks(base);
  const after = placedTasks(now);
  const gone = [...before.values()].filter(({ task }) => !after.has(task.id));
  const fresh = [...after.values()].filter(({ task }) => !before.has(task.id));
  const renamed = renamedTasks(gone, fresh);
  const newId: NewId = (id) => renamed.get(id) ?? id;
  const edits: PlanEdit[] = [...renamed].map(([from, to]) => ({ kind: 'renamed', from, to }));
  for (const { task } of gone) if (!renamed.has(task.id)) edits.push({ kind: 'removed', task: task.id });
  /** By their current ids. */
  const origins = new Map([...before].map(([id, placed]) => [newId(id), placed]));
  edits.push(...waveEdits(base, now));
  for (const wave of now.waves) {
    for (const [at, task] of wave.tasks.entries()) {
      const origin = origins.get(task.id);
      if (origin) edits.push(...taskEdits(origin, { task, wave: wave.number, at }, newId));
      else edits.push({ kind: 'added', wave: wave.number, title: wave.title, at, task });
    }
    if (isReordered(wave, origins))
      edits.push({ kind: 'reordered', wave: wave.number, tasks: wave.tasks.map(({ id }) => id) });
  }
  return [...edits, ...checkpointEdits(base, now), ...planEdits(base, now)];
}

function placedTasks({ waves }: Plan): Map<string, PlacedTask> {
  const placed = new Map<string, PlacedTask>();
  for (const { number, tasks } of waves)
    for (const [at, task] of tasks.entries()) placed.set(task.id, { task, wave: number, at });
  return placed;
}

function taskEdits(base: PlacedTask, { task, wave, at }: PlacedTask, newId: NewId): PlanEdit[] {
  const edits: PlanEdit[] = [];
  if (base.wave !== wave) edits.push({ kind: 'moved', task: task.id, wave, at });
  const fields = differences(base.task, task, newId);
  if (fields.length > 0) edits.push({ kind: 'changed', task, fields });
  if (base.task.mark !== 'x' && task.mark === 'x') edits.push({ kind: 'ticked', task: task.id });
  if (base.task.mark === 'x' && task.mark === ' ' && task.isUnmarked !== true)
    edits.push({ kind: 'unticked', task: task.id });
  return edits;
}

/** Whether tasks that were in the wave before are now in another order. */
function isReordered({ number, tasks }: PlanWave, origins: ReadonlyMap<string, PlacedTask>): boolean {
  let last = -1;
  for (const { id } of tasks) {
    const origin = origins.get(id);
    if (origin?.wave !== number) continue;
    if (origin.at < last) return true;
    last = origin.at;
  }
  return false;
}

function waveEdits(base: Plan, now: Plan): PlanEdit[] {
  const edits: PlanEdit[] = [];
  const numbers = new Set(now.waves.map(({ number }) => number));
  const known = new Map(base.waves.map((wave) => [wave.number, wave]));
  for (const { number } of base.waves) if (!numbers.has(number)) edits.push({ kind: 'wave-removed', number });
  for (const { number, title, reviewTier, reviewer } of now.waves) {
    const wave = known.get(number);
    const review = defined({ reviewTier, reviewer });
    if (!wave) edits.push({ kind: 'wave-added', number, title, ...review });
    else if (
      wave.title !== title ||
      tierOf(wave) !== tierOf({ reviewTier }) ||
      wave.reviewer?.agent !== reviewer?.agent
    )
      edits.push({ kind: 'wave-changed', number, title, ...review });
  }
  return edits;
}

/** The default is the same as its explicit value. */
function tierOf({ reviewTier = 'deep' }: { readonly reviewTier?: Tier | undefined }): Tier {
  return reviewTier;
}

function checkpointEdits(base: Plan, now: Plan): PlanEdit[] {
  const keyOf = ({ afterWave, why }: PlanCheckpoint): string => `${afterWave} ${why}`;
  const missingIn = (all: readonly PlanCheckpoint[], others: readonly PlanCheckpoint[]): PlanCheckpoint[] => {
    const keys = new Set(others.map(keyOf));
    return all.filter((one) => !keys.has(keyOf(one)));
  };
  return [
    ...missingIn(base.checkpoints, now.checkpoints).map(
      ({ afterWave, why }) => ({ kind: 'checkpoint-removed', afterWave, why }) as const,
    ),
    ...missingIn(now.checkpoints, base.checkpoints).map(
      ({ afterWave, why }) => ({ kind: 'checkpoint-added', afterWave, why }) as const,
    ),
  ];
}

function planEdits(base: Plan, now: Plan): PlanEdit[] {
  const form = (settings: PlanSettings, key: keyof PlanSettings): string =>
    key === 'budgets' ? amounts(settings.budgets) : JSON.stringify(settings[key] ?? null);
  const all = new Set([...Object.keys(base.settings), ...Object.keys(now.settings)] as (keyof PlanSettings)[]);
  const keys = [...all].filter((key) => form(base.settings, key) !== form(now.settings, key)).toSorted();
  const fields = (['title', 'goal'] as const).filter((field) => base[field] !== now[field]);
  return [
    ...(keys.length > 0 ? [{ kind: 'settings', keys } as const] : []),
    ...(fields.length > 0 ? [{ kind: 'plan-changed', fields } as const] : []),
  ];
}

/**
 * Maps the ids of removed tasks to those of new ones that differ only in their id, with dependencies compared by the new ids.
 *
 * Linear: a task is compared with at most one other, found by its content. Among tasks of equal content, the first is paired
 * with the first, preferring the same wave.
 */
function renamedTasks(gone: readonly PlacedTask[], fresh: readonly PlacedTask[]): Map<string, string> {
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
