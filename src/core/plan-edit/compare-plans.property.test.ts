/** The edits are all of the difference, and take no longer than the plans are large. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../tests/properties/runs.ts';
import { minimalScope } from '../../delegation/scope-locks.ts';
import { type Plan, type PlanTask, type PlanWave, tiers } from '../../plan/plan.ts';
import { comparePlans } from './compare-plans.ts';
import type { PlanEdit } from './plan-edit.ts';
import { leastTime } from '../../../tests/support/processor-time.ts';

const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

/** Few words and few ids, so that two plans have much in common. */
const task = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    title: fc.constantFrom('One', 'Two'),
    mark: fc.constantFrom(' ' as const, 'x' as const),
    after: fc.subarray([{ task: 'a' }, { task: 'b' }, { task: 'c' }, { wave: 1 }], { maxLength: 2 }),
    scope: fc.subarray(['src', 'src/a', 'docs'], { maxLength: 2 }),
    forbidden: some(fc.constant(['src/a/x'])),
    tier: some(fc.constantFrom(...tiers)),
    agent: some(fc.constantFrom('worker', 'coder')),
    budgets: some(fc.constant({ minutes: 5 })),
  })
  .map(({ forbidden, tier, agent, budgets, ...rest }): PlanTask => ({
    ...rest,
    description: rest.title,
    accept: [],
    line: 1,
    ...(forbidden && { forbidden }),
    ...(tier && { tier }),
    ...(agent !== undefined && { agent }),
    ...(budgets && { budgets }),
  }));

const plan = fc
  .record({
    tasks: fc.uniqueArray(fc.tuple(task, fc.constantFrom(1, 2, 3)), { selector: ([{ id }]) => id, maxLength: 7 }),
    title: fc.constantFrom('', 'W'),
    reviewTier: some(fc.constantFrom(...tiers)),
    checkpoints: fc.subarray([1, 2]),
    why: fc.constantFrom('', 'why'),
  })
  .map(({ tasks, title, reviewTier, checkpoints, why }): Plan => ({
    title: 'T',
    goal: 'G',
    settings: { budgets: {} },
    checkpoints: checkpoints.map((afterWave) => ({ afterWave, why })),
    waves: [1, 2, 3]
      .map((number): PlanWave => ({
        number,
        title,
        ...(reviewTier && { reviewTier }),
        tasks: tasks.filter(([, wave]) => wave === number).map(([one]) => one),
        line: 1,
      }))
      .filter((wave) => wave.tasks.length > 0),
  }));

/** As far as comparing tells plans apart. */
function normal({ checkpoints, waves }: Plan): unknown {
  return {
    checkpoints: new Set(checkpoints.map(({ afterWave, why }) => `${afterWave} ${why}`)),
    waves: waves.map(({ number, title, reviewTier, tasks }) => ({
      number,
      title,
      reviewTier: reviewTier ?? 'deep',
      tasks: tasks.map((one) => ({
        ...one,
        after: new Set(one.after.map((dependency) => JSON.stringify(dependency))),
        scope: minimalScope(one.scope),
        tier: one.tier ?? 'standard',
        agent: one.agent ?? 'worker',
      })),
    })),
  };
}

/** The plan with the edits made, by nothing but the edits. */
function edited(base: Plan, edits: readonly PlanEdit[]): Plan {
  const all = <K extends PlanEdit['kind']>(...kinds: K[]): (PlanEdit & { kind: K })[] =>
    edits.filter((edit) => (kinds as string[]).includes(edit.kind)) as never;
  const names = new Map(all('renamed').map(({ from, to }) => [from, to]));
  const removed = new Set(all('removed').map((edit) => edit.task));
  const moved = new Set(all('moved').map((edit) => edit.task));
  const tasks = new Map<string, PlanTask>();
  for (const one of base.waves.flatMap((wave) => wave.tasks)) {
    const id = names.get(one.id) ?? one.id;
    const after = one.after.map((other) => ('task' in other ? { task: names.get(other.task) ?? other.task } : other));
    tasks.set(id, { ...one, id, after });
  }
  for (const { task: changed, fields } of all('changed')) {
    const was = tasks.get(changed.id) as PlanTask;
    const told = fields.filter((field) => field in changed).map((field) => [field, changed[field]]);
    const kept = Object.entries(was).filter(([name]) => !(fields as string[]).includes(name));
    tasks.set(changed.id, Object.fromEntries([...kept, ...told]) as PlanTask);
  }
  for (const { kind, task: id } of all('ticked', 'unticked'))
    tasks.set(id, { ...(tasks.get(id) as PlanTask), mark: kind === 'ticked' ? 'x' : ' ' });
  for (const { task: added } of all('added')) tasks.set(added.id, added);

  const waves = new Map(base.waves.map((wave) => [wave.number, wave]));
  for (const { number } of all('wave-removed')) waves.delete(number);
  for (const { kind: _, number, ...words } of all('wave-added', 'wave-changed')) {
    waves.set(number, { number, line: 1, tasks: waves.get(number)?.tasks ?? [], ...words });
  }
  const placed = [...waves.values()].map((wave): PlanWave => {
    const kept = wave.tasks
      .filter(({ id }) => !removed.has(id))
      .map(({ id }) => names.get(id) ?? id)
      .filter((id) => !moved.has(id));
    const order = all('reordered').find((edit) => edit.wave === wave.number)?.tasks;
    const ids = order ? order.filter((id) => kept.includes(id)) : kept;
    for (const edit of edits) {
      if ((edit.kind !== 'added' && edit.kind !== 'moved') || edit.wave !== wave.number) continue;
      ids.splice(edit.at, 0, edit.kind === 'added' ? edit.task.id : edit.task);
    }
    return { ...wave, tasks: ids.map((id) => tasks.get(id) as PlanTask) };
  });
  const gone = new Set(all('checkpoint-removed').map(({ afterWave, why }) => `${afterWave} ${why}`));
  return {
    ...base,
    checkpoints: [
      ...base.checkpoints.filter(({ afterWave, why }) => !gone.has(`${afterWave} ${why}`)),
      ...all('checkpoint-added'),
    ],
    waves: placed.toSorted((one, other) => one.number - other.number),
  };
}

describe('comparing plans', () => {
  it('finds nothing between a plan and itself', () => {
    fc.assert(
      fc.property(plan, (one) => {
        expect(comparePlans(one, structuredClone(one))).toEqual([]);
      }),
      runs,
    );
  });

  it('finds every edit between two plans', () => {
    fc.assert(
      fc.property(plan, plan, (base, now) => {
        expect(normal(edited(base, comparePlans(base, now)))).toEqual(normal(now));
      }),
      runs,
    );
  });

  it('finds the new ids of all tasks', () => {
    fc.assert(
      fc.property(plan, (base) => {
        const fresh = (id: string): string => `new-${id}`;
        const waves = base.waves.map((wave) => ({
          ...wave,
          tasks: wave.tasks.map((one) => ({
            ...one,
            id: fresh(one.id),
            after: one.after.map((other) => ('task' in other ? { task: fresh(other.task) } : other)),
          })),
        }));
        const ids = new Set(base.waves.flatMap((wave) => wave.tasks.map(({ id }) => id)));
        const isWhole = waves.every((wave) =>
          wave.tasks.every(({ after }) => after.every((one) => !('task' in one) || ids.has(one.task.slice(4)))),
        );
        const contents = base.waves.flatMap((wave) => wave.tasks.map(({ id: _id, ...rest }) => JSON.stringify(rest)));
        fc.pre(isWhole && new Set(contents).size === contents.length);
        const found = comparePlans(base, { ...base, waves });
        expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(ids.size > 0 ? ['renamed'] : []));
        expect(found).toHaveLength(ids.size);
      }),
      runs,
    );
  });

  it('takes a plan of 100,000 tasks, each of them renamed, in a few seconds', { timeout: 60_000 }, () => {
    const chain = (name: string): Plan => ({
      title: 'T',
      goal: 'G',
      settings: { budgets: {} },
      checkpoints: [],
      waves: [
        {
          number: 1,
          title: '',
          line: 1,
          tasks: Array.from({ length: 100_000 }, (_, at): PlanTask => {
            const after = at === 0 ? [] : [{ task: `${name}${at - 1}` }];
            const words = { title: `Task ${at % 7}`, description: `Task ${at % 7}` };
            return { id: `${name}${at}`, ...words, mark: ' ', after, scope: ['src'], accept: [], line: at };
          }),
        },
      ],
    });
    const [before, after] = [chain('a'), chain('b')];
    const time = leastTime(() => expect(comparePlans(before, after)).toHaveLength(100_000), 20_000);
    expect(time).toBeLessThan(20_000);
  });
});
