import { describe, expect, it } from 'vitest';
import { createdRun, planOf } from '../../../tests/support/state-of.ts';
import type { Amendment } from '../../core/event/amendment.ts';
import type { PlannedTask } from '../../core/event/planned-task.ts';
import { amendmentChanges } from './amendment-changes.ts';

const escape = String.fromCodePoint(27);
const state = createdRun(
  planOf([[{ id: '1.1', accept: ['npm test passes', 'no warnings'], scope: ['src/cart'] }], [{ id: '2.1' }]]),
);

function planned(id: string, more: Partial<PlannedTask> = {}): PlannedTask {
  const task = state.tasks.get(id)?.planned;
  if (task === undefined) throw new Error(`there is no ${id}`);
  return { ...task, ...more };
}

const changesOf = (...amendments: Amendment[]): string[] => amendmentChanges(state, amendments);

describe('what an edit would change', () => {
  it.each<[Partial<PlannedTask>, string]>([
    [{ accept: ['npm test passes'] }, 'accept: npm test passes; no warnings → npm test passes'],
    [{ forbidden: ['src/cart/gen'] }, 'forbidden: nothing → src/cart/gen'],
    [{ accept: [] }, 'accept: npm test passes; no warnings → nothing'],
    [{ scope: ['src/cart', 'src/tax'] }, 'scope: src/cart → src/cart, src/tax'],
    [{ title: 'Other', description: 'Long words.' }, 'title reworded; description reworded'],
    [{ tier: 'fast', review: 'deep' }, 'tier: standard → fast; review: nothing → deep'],
    [{ after: [{ task: '2.1' }, { wave: 1 }] }, 'after: nothing → 2.1, wave 1'],
    [{ agent: 'other', budgets: { minutes: 5 } }, 'agent: worker → other; budgets: nothing → 5 minutes'],
  ])('of a task: %j', (more, words) => {
    expect(changesOf({ kind: 'change', task: planned('1.1', more) })).toEqual([`1.1 changed: ${words}`]);
  });

  it('finds a task that has another name now', () => {
    const task = planned('1.1', { id: '1.9', scope: [] });
    expect(changesOf({ kind: 'rename', from: '1.1', to: '1.9' }, { kind: 'change', task })).toEqual([
      '1.1 renamed to 1.9',
      '1.9 changed: scope: src/cart → nothing',
    ]);
  });

  it('shows where long words differ, and cannot steer a terminal', () => {
    const long = 'x'.repeat(5000);
    const before = createdRun(planOf([[{ id: '1.1', accept: [`${long} passes`] }]]));
    const task = { ...planned('1.1'), scope: [], accept: [`${long} ${escape}[2J fails`] };
    const [words = ''] = amendmentChanges(before, [{ kind: 'change', task }]);
    expect(words).toMatch(/accept: …x+ passes → …x+ \[2J fails$/);
    expect(words.length).toBeLessThan(200);
    const [cut = ''] = changesOf({ kind: 'change', task: planned('1.1', { accept: [`other ${long}`] }) });
    expect(cut).toHaveLength('1.1 changed: accept: npm test passes; no warnings → '.length + 200);
  });

  it('has what goes with a task that is removed', () => {
    expect(changesOf({ kind: 'remove', task: '1.1' }, { kind: 'remove', task: '2.1' })).toEqual([
      '1.1 removed: accept: npm test passes; no warnings; scope: src/cart',
      '2.1 removed',
    ]);
  });

  it('has what a task that is added is to do', () => {
    const task = planned('1.1', { id: '2.2', title: `New ${escape}[2J one` });
    expect(changesOf({ kind: 'add', wave: 2, at: 0, task })).toEqual([
      '2.2 added: New [2J one; accept: npm test passes; no warnings',
    ]);
    expect(changesOf({ kind: 'add', wave: 2, at: 0, task: { ...task, accept: [] } })).toEqual([
      '2.2 added: New [2J one',
    ]);
  });

  it('has the tier of a review, and few words for the rest', () => {
    expect(
      changesOf(
        { kind: 'change-wave', wave: 2, title: 'x', reviewTier: 'fast' },
        { kind: 'change-wave', wave: 2, title: 'x', reviewTier: 'deep' },
        { kind: 'remove', task: '2.1' },
      ),
    ).toEqual(['wave 2 changed: review: deep → fast', 'wave 2 changed', '2.1 removed']);
  });
});
