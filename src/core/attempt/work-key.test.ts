/** Changes that alter a work key, and changes that do not. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../tests/properties/runs.ts';
import type { Dependency } from '../../plan/plan.ts';
import { type AboutAgent, type KeyedTask, workKeys } from './work-key.ts';
import { timeOf } from '../../../tests/support/processor-time.ts';

/** Equal for equal texts alone: what a hash promises, without its chances. */
const names = new Map<string, string>();
function hash(text: string): string {
  const name = names.get(text) ?? `h${names.size}`;
  names.set(text, name);
  return name;
}

const about = (agent: string): AboutAgent => ({ instructions: `You are the ${agent}.`, contract: 'worker@1' });
const keys = (tasks: Iterable<KeyedTask>): ReadonlyMap<string, string> => workKeys(tasks, about, hash);

const task = (id: string, words: Partial<KeyedTask> = {}): KeyedTask => ({
  id,
  title: `Do ${id}`,
  description: `Do ${id}`,
  accept: [],
  scope: [],
  agent: 'worker',
  after: [],
  wave: 1,
  ...words,
});
const key = (words: Partial<KeyedTask>): string | undefined => keys([task('a', words)]).get('a');

describe('workKeys', () => {
  it.each<Partial<KeyedTask>>([
    { title: 'Do more' },
    { description: 'Do it well' },
    { accept: ['it works'] },
    { scope: ['src'] },
    { forbidden: ['src'] },
    { agent: 'coder' },
  ])('changes with %j', (words) => {
    expect(key(words)).not.toBe(key({}));
  });

  it('changes with the instructions of the agent and with its contract', () => {
    const own = (changed: Partial<AboutAgent>): unknown =>
      workKeys([task('a')], (agent) => ({ ...about(agent), ...changed }), hash).get('a');
    expect(new Set([own({}), own({ instructions: 'Other.' }), own({ contract: 'worker@2' })]).size).toBe(3);
  });

  it('does not change with the position of a task or the spelling of its scope', () => {
    expect(key({ wave: 7 })).toBe(key({}));
    expect(key({ scope: ['src/b', 'src/a', 'src/a/x.ts'] })).toBe(key({ scope: ['src/a', 'src/b'] }));
    expect(key({ forbidden: ['src/b', 'src/a', 'src/a/x.ts'] })).toBe(key({ forbidden: ['src/a', 'src/b'] }));
    expect(key({ scope: ['src/b'] })).not.toBe(key({ scope: ['src/a', 'src/b'] }));
  });

  it('changes with the work of its dependencies, not with their names', () => {
    const last = (first: KeyedTask): unknown => keys([first, task('z', { after: [{ task: first.id }] })]).get('z');
    const same = { title: 'Begin', description: 'Begin' };
    expect(last(task('a', same))).toBe(last(task('b', same)));
    expect(last(task('a', same))).not.toBe(last(task('a')));
    expect(last(task('a', same))).not.toBe(keys([task('z')]).get('z'));
  });

  it('treats a wave as the work of all its tasks', () => {
    const first = [task('a'), task('b')];
    const last = (tasks: KeyedTask[]): unknown =>
      keys([...tasks, task('z', { wave: 2, after: [{ wave: 1 }] })]).get('z');
    expect(last(first)).toBe(last(first.toReversed()));
    expect(last(first)).not.toBe(last([task('a')]));
    expect(last(first)).not.toBe(last([task('a'), task('b', { title: 'Do other things' })]));
  });

  it('counts identical tasks; their dependents do not depend on the count', () => {
    const same = { title: 'Same', description: 'Same' };
    const tasks = [task('a', same), task('b', same), task('c', same), task('y', { after: [{ task: 'a' }] })];
    const found = keys(tasks);
    expect(new Set(found.values()).size).toBe(4);
    const turned = keys([tasks[1], tasks[2], tasks[0], tasks[3]].filter((one) => one !== undefined));
    expect(new Set(turned.values())).toEqual(new Set(found.values()));
    expect(turned.get('y')).toBe(found.get('y'));
    expect(found.get('a')).toBe(keys([task('a', same)]).get('a'));
  });

  it('skips tasks in a cycle, and ignores unknown dependencies', () => {
    const circle = [task('a', { after: [{ task: 'b' }] }), task('b', { after: [{ task: 'a' }] })];
    expect([...keys([...circle, task('c', { after: [{ task: 'x' }, { wave: 9 }] })]).keys()]).toEqual(['c']);
  });

  it.each(['a chain', 'a wave and those that wait for it'])('takes 100,000 tasks: %s', { timeout: 60_000 }, (form) => {
    const size = 100_000;
    const afterOf = (at: number): Dependency[] => {
      if (form === 'a chain') return at === 0 ? [] : [{ task: `t${at - 1}` }];
      return at < size / 2 ? [] : [{ wave: 1 }];
    };
    const waveOf = (at: number): number => (form === 'a chain' || at < size / 2 ? 1 : 2);
    const all = Array.from({ length: size }, (_, at) => task(`t${at}`, { after: afterOf(at), wave: waveOf(at) }));
    const time = timeOf(() => expect(new Set(keys(all.toReversed()).values()).size).toBe(size));
    expect(time).toBeLessThan(20_000);
  });
});

/** Tasks with words of their own, each waiting for some before it; waves of three. */
const plan = fc
  .array(fc.record({ after: fc.array(fc.nat(20), { maxLength: 3 }), wave: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((all) =>
    all.map(({ after, wave: waits }, at): KeyedTask => {
      const wave = Math.floor(at / 3) + 1;
      const earlier = new Set(after.map((other) => other % (at || 1)));
      const tasks = at === 0 ? [] : [...earlier].map((other) => ({ task: `t${other}` }));
      return task(`t${at}`, { wave, after: [...tasks, ...(waits && wave > 1 ? [{ wave: wave - 1 }] : [])] });
    }),
  );

describe('work keys', () => {
  it('stay the same when all ids change and the tasks of a wave are reordered', () => {
    fc.assert(
      fc.property(plan, fc.infiniteStream(fc.nat()), (tasks, places) => {
        const fresh = (id: string): string => `new-${id}`;
        const renamed = tasks.map((one) => ({
          ...one,
          id: fresh(one.id),
          after: one.after.map((other) => ('task' in other ? { task: fresh(other.task) } : other)).toReversed(),
        }));
        const order = new Map(renamed.map((one) => [one, Number(places.next().value)]));
        const placed = renamed.toSorted(
          (one, other) => one.wave - other.wave || (order.get(one) ?? 0) - (order.get(other) ?? 0),
        );
        const expected = [...keys(tasks)].map(([id, found]) => [fresh(id), found] as const);
        expect(keys(placed)).toEqual(new Map(expected));
      }),
      runs,
    );
  });

  it('change only for an edited task and its dependents', () => {
    fc.assert(
      fc.property(plan, fc.nat(), (tasks, which) => {
        const changed = tasks[which % tasks.length] ?? task('');
        const affected = new Set([changed.id]);
        const isAffected = (one: Dependency): boolean =>
          'task' in one ? affected.has(one.task) : tasks.some(({ id, wave }) => wave === one.wave && affected.has(id));
        for (const { id, after } of tasks) if (after.some(isAffected)) affected.add(id);
        const before = keys(tasks);
        const after = keys(tasks.map((one) => (one === changed ? { ...one, description: 'Reworded' } : one)));
        expect(tasks.filter(({ id }) => before.get(id) !== after.get(id)).map(({ id }) => id)).toEqual(
          tasks.filter(({ id }) => affected.has(id)).map(({ id }) => id),
        );
      }),
      runs,
    );
  });
});
