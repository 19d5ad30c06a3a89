/** Budgets of runs and tasks: what is used up is a question, and a yes leaves something of it. */
import { describe, expect, it } from 'vitest';
import { type Script, scriptedRun } from '../../../tests/support/scripted-run.ts';
import { advance, createdRun, outcomeOf, planOf } from '../../../tests/support/state-of.ts';
import { apply } from '../apply/apply.ts';
import { type NewEvent, stamp } from '../event/event.ts';
import { wakeTime } from '../state/hold.ts';
import { newSpent, timeLeft, exhaustedBudget } from '../state/spent.ts';
import type { RunState } from '../state/state.ts';

const fine: Script = ({ task: { id } }) =>
  id.includes(':review') ? { verdict: { priority: 'LOW', action: 'go on' } } : { usage: { tokens: 450, cost: 0.1 } };
const three = planOf([[{ id: '1.1' }, { id: '1.2' }, { id: '1.3' }]]);
const asked = ({ checkpoints }: RunState): string[] =>
  checkpoints.map(({ kind, status, why }) => `${kind} ${status} ${why}`);

describe('a run', () => {
  it('stops when its delegations are used up, though more could run side by side', async () => {
    const run = scriptedRun(three, fine, { budgets: { delegations: 2 } });
    const paused = await run.work();
    expect([run.activities.length, asked(paused)]).toEqual([2, ['budget open the budget of 2 delegations is used up']]);
    run.answer({ approved: true });
    const again = await run.work();
    // The third task and the review.
    expect([run.activities.length, again.status, again.granted.delegations]).toEqual([4, 'completed', 1]);
  });

  it('ends after a no, and asks again when it is resumed', async () => {
    const run = scriptedRun(three, fine, { budgets: { delegations: 2 } });
    await run.work();
    expect(run.answer({ approved: false }).status).toBe('cancelled');
    const again = await run.work();
    expect([again.status, run.activities.length]).toEqual(['paused', 2]);
    expect(asked(again).map((text) => text.split(' ')[1])).toEqual(['replaced', 'open']);
  });

  it('asks once about tokens, however far it has gone past them', async () => {
    const run = scriptedRun(three, fine, { budgets: { tokens: 100 }, concurrency: 1 });
    await run.work();
    run.answer({ approved: true });
    const again = await run.work();
    expect([run.activities.length, again.granted.tokens, again.spent.tokens]).toEqual([2, 4, 900]);
  });

  it('counts minutes while someone works, and wakes up when they are over', () => {
    const settings = { ...three, settings: { budgets: { minutes: 1 / 7 } } };
    const state = createdRun(settings, 1, true);
    const at = (time: number, event: NewEvent): RunState => apply(state, stamp(event, time));
    at(1000, { kind: 'run.started', command: 'x' });
    // The helper's own events happen at 1000.
    const [delegation] = advance(state).values();
    if (delegation === undefined) throw new Error('nothing was started');
    expect([state.spent.milliseconds, wakeTime(state)]).toEqual([0, 1000 + Math.ceil(60_000 / 7)]);
    at(5000, { kind: 'delegation.ended', delegation, task: '1.1', end: 'returned', outcome: outcomeOf('completed') });
    at(900_000, { kind: 'run.paused', reason: 'stopped', for: 'stop' });
    at(950_000, { kind: 'run.started', command: 'x' });
    expect([state.spent.milliseconds, wakeTime(state)]).toEqual([4000, undefined]);
  });

  it('does not count what lies between a crash and the next start', () => {
    const state = createdRun(three, 1, true);
    const at = (time: number, event: NewEvent): RunState => apply(state, stamp(event, time));
    at(1000, { kind: 'run.started', command: 'x' });
    const [delegation] = advance(state).values();
    if (delegation === undefined) throw new Error('nothing was started');
    const outcome = outcomeOf('partial', { failure: { class: 'lost', message: 'gone' } });
    at(9_000_000, { kind: 'delegation.ended', delegation, task: '1.1', end: 'lost', outcome });
    at(9_000_500, { kind: 'work.drifted', files: [] });
    expect(state.spent.milliseconds).toBe(0);
  });
});

describe('a task', () => {
  const plan = planOf([[{ id: '1.1', tier: 'fast', budgets: { delegations: 1 } }, { id: '1.2' }]]);
  const failing: Script = (activity) =>
    activity.task.id === '1.1' && activity.registered.attempt < 3
      ? {
          status: 'failed',
          failure: { class: 'agent-error', message: `broke ${'x'.repeat(activity.registered.attempt)}` },
        }
      : fine(activity);

  it('that has used up its budget is not tried again before a person has said so', async () => {
    const run = scriptedRun(plan, failing);
    const paused = await run.work();
    expect(asked(paused)).toEqual(['budget open 1.1 has used up its 1 delegations and is not done: broke x']);
    run.answer({ approved: true });
    const again = await run.work();
    expect(again.checkpoints.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'budget approved',
      'budget open',
    ]);
    run.answer({ approved: true });
    expect((await run.work()).status).toBe('completed');
    const tiers = run.activities.flatMap(({ task, registered }) => (task.id === '1.1' ? [registered.tier] : []));
    expect(tiers).toEqual(['fast', 'fast', 'fast']);
  });

  it('is left after a rejection, and the rest of the run continues', async () => {
    const run = scriptedRun(plan, failing);
    await run.work();
    run.answer({ approved: false });
    const state = await run.work();
    expect([...state.tasks.values()].map(({ progress }) => progress.status)).toEqual(['failed', 'completed']);
  });

  it('has all of its budget again in a run that starts again', async () => {
    const run = scriptedRun(plan, failing);
    await run.work();
    run.answer({ approved: false });
    await run.work();
    const again = await run.work();
    expect(again.tasks.get('1.1')?.spent?.delegations).toBe(1);
  });
});

describe('what is left', () => {
  it('is nothing once as much is spent as there was, in the order of the table', () => {
    const spent = { ...newSpent(), delegations: 3, milliseconds: 60_000, tokens: 10, cost: 1 };
    expect(exhaustedBudget({ delegations: 3 }, spent)).toBe('delegations');
    expect(exhaustedBudget({ delegations: 4, minutes: 1 }, spent)).toBe('minutes');
    expect(exhaustedBudget({ tokens: 11, cost: 1 }, spent)).toBe('cost');
    expect(exhaustedBudget({ tokens: 10, cost: 2 }, spent)).toBe('tokens');
    expect(exhaustedBudget({ delegations: 4, minutes: 2, tokens: 11, cost: 2 }, spent)).toBeUndefined();
    expect(
      exhaustedBudget({ delegations: 3 }, spent, { minutes: 0, delegations: 1, tokens: 0, cost: 0 }),
    ).toBeUndefined();
    expect([timeLeft({}, spent), timeLeft({ minutes: 3 }, spent), timeLeft({ minutes: 0.5 }, spent, 2)]).toEqual([
      undefined,
      120_000,
      30_000,
    ]);
  });
});
