/** One failed task is one task to do again, whatever its place; a crash changes nothing about how a run ends. */
import { describe, expect, it } from 'vitest';
import { planOf } from '../support/state-of.ts';
import { crashAt, outcomeOf, toItsEnd } from '../support/crash-at.ts';
import { begun, type Script, type ScriptedRun, scriptedRun } from '../support/scripted-run.ts';

const low: ReturnType<Script> = { verdict: { priority: 'LOW', action: 'go on' } };
const isReview = (id: string): boolean => id.includes(':review');

describe('a wave of six tasks of which one fails', () => {
  const ids = ['1.1', '1.2', '1.3', '1.4', '1.5', '1.6'];

  /** The task fails until its world is fixed. */
  function sixTasks(failing: string): ScriptedRun & { fix(): void } {
    let fixed = false;
    const run = scriptedRun(planOf([ids.map((id) => ({ id }))]), ({ task: { id } }) => {
      if (isReview(id)) return low;
      if (fixed || id !== failing) return {};
      return { status: 'failed', failure: { class: 'environment', message: 'no such tool' } };
    });
    return {
      ...run,
      fix: () => {
        fixed = true;
      },
    };
  }

  it.each(ids)('%s: is resumed with exactly that one, once a person has said yes', async (failing) => {
    const run = sixTasks(failing);
    const paused = await run.work();
    expect([paused.status, begun(run.events, 0, paused).toSorted()]).toEqual(['paused', ids]);
    run.fix();
    run.answer({ approved: true });
    const at = run.events.length;
    const ended = await run.work();
    expect([ended.status, begun(run.events, at, ended)]).toEqual(['completed', [failing]]);
  });

  it.each(ids)(
    '%s: is resumed with exactly that one after it had been left, and the run had failed',
    async (failing) => {
      const run = sixTasks(failing);
      await run.work();
      run.answer({ approved: false });
      const failed = await run.work();
      expect([failed.status, begun(run.events, 0, failed).toSorted()]).toEqual(['failed', ids]);
      run.fix();
      const at = run.events.length;
      const ended = await run.work();
      expect([ended.status, begun(run.events, at, ended)]).toEqual(['completed', [failing]]);
      // What is new has been reviewed as well, with the wave and with the whole.
      const reviews = run.events.slice(at).flatMap((event) => (event.kind === 'task.added' ? [event.task.id] : []));
      expect(reviews).toEqual(['wave-1:review-2']);
    },
  );
});

describe('a small run', () => {
  const plan = planOf([[{ id: '1.1' }, { id: '1.2' }], [{ id: '2.1', after: [{ task: '1.2' }] }]], {
    checkpoints: [{ afterWave: 1, why: 'look at it' }],
  });

  /** 1.2 is too much for any but the strongest; wave 1 has to be fixed, wave 2 leaves something for later. */
  const script: Script = ({ task: { id }, registered: { tier } }) => {
    if (id === 'wave-1:review') return { verdict: { priority: 'HIGH', action: 'fix 1.1' } };
    if (id === 'wave-2:review') return { verdict: { priority: 'MED', action: 'rename it some day' } };
    if (isReview(id)) return low;
    if (id !== '1.2' || tier === 'deep') return {};
    return { status: 'failed', failure: { class: 'agent-error', message: 'too hard' } };
  };

  it('escalates, fixes, asks, defers, and completes', async () => {
    const run = scriptedRun(plan, script);
    const state = await toItsEnd(run, false);
    expect(outcomeOf(state)).toEqual({
      status: 'completed',
      tasks: [
        ['1.1', 'completed', 'standard'],
        ['1.2', 'completed', 'deep'],
        ['2.1', 'completed', 'standard'],
        ['wave-1:review', 'completed', 'deep'],
        ['wave-1:fix', 'completed', 'standard'],
        ['wave-1:review-2', 'completed', 'deep'],
        ['wave-2:review', 'completed', 'deep'],
        ['wave-2:review:fix', 'completed', 'standard'],
        ['final:review', 'completed', 'deep'],
      ],
      waves: ['completed', 'completed'],
      gates: [
        ['wave-1', 'passed', { priority: 'LOW', action: 'go on' }, 2, 1],
        ['wave-2', 'passed', { priority: 'MED', action: 'rename it some day' }, 1, 0],
        ['final', 'passed', { priority: 'LOW', action: 'go on' }, 1, 0],
      ],
      findings: [
        { id: 'wave-2:review', wave: 2, action: 'rename it some day', fix: 'wave-2:review:fix', isFixed: true },
      ],
      checkpoints: [['checkpoint-1', 'approved']],
    });
  });

  it.each([false, true])(
    'ends the same way after a crash at any of its events; returns are found: %s',
    async (found) => {
      const whole = scriptedRun(plan, script);
      const planned = whole.events.length;
      const expected = outcomeOf(await toItsEnd(whole, false));
      const { length } = whole.events;
      expect(length).toBeGreaterThan(40);
      for (let at = planned + 1; at < length; at += 1) {
        const run = scriptedRun(plan, script);
        await crashAt(run, at);
        expect(run.events.length).toBe(at);
        const after = run.state().status === 'completed' ? run.state() : await toItsEnd(run, found);
        expect({ at, ...outcomeOf(after) }).toEqual({ at, ...expected });
      }
    },
  );
});
