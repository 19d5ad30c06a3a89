import { describe, expect, it } from 'vitest';
import { advance, createdRun, end, happen, planOf, type TaskWords } from '../../../tests/support/state-of.ts';
import { type NewEvent, stamp } from '../../core/event/event.ts';
import { openCheckpoints, type RunState } from '../../core/state/state.ts';
import { type LiveRun, liveRun } from './live-run.ts';
import { liveView } from './live-view.ts';
import { timeOf } from '../../../tests/support/processor-time.ts';

const started: NewEvent = { kind: 'run.started', command: 'a test' };

function begun(state: RunState): LiveRun {
  const run = liveRun();
  happen(state, started);
  run.follow(stamp(started, 1000), state);
  return run;
}

describe('what the live view knows of a run', () => {
  it('is nothing before the first event', () => {
    expect(liveRun().look(10)).toBeNull();
  });

  it('has the tasks of the current wave, with what each waits for, and the waves around it', () => {
    const plan = planOf([
      [{ id: '1.1' }, { id: '1.2', after: [{ task: '1.1' }] }, { id: '1.3' }, { id: '1.4', scope: ['src'] }],
      [{ id: '2.1' }],
    ]);
    const state = createdRun(plan);
    const run = begun(state);
    advance(state);
    const model = run.look(10, ({ task }) => ({ at: 1, line: `says ${task}` }));
    expect(model?.tasks.map(({ id, status, place, words, activity }) => [id, status, place, words, activity])).toEqual([
      ['1.1', 'running', 0, '', { at: 1, line: 'says 1.1' }],
      ['1.3', 'running', 2, '', { at: 1, line: 'says 1.3' }],
      ['1.2', 'pending', 1, 'waiting for 1.1', undefined],
      ['1.4', 'pending', 3, 'waiting for a free slot (2 at a time)', undefined],
    ]);
    expect(model).toMatchObject({ since: 1000, before: [], after: [{ number: 2, title: 'wave 2' }], waves: 2 });
  });

  it('knows how long an attempt took, and when it is on a stronger tier than planned', () => {
    const state = createdRun(planOf([[{ id: '1.1' }, { id: '1.2' }]]), 2, true);
    const run = begun(state);
    advance(state);
    const [one] = [...state.active.values()].map(({ registered }) => registered);
    if (one === undefined) throw new Error('two run');
    run.follow(one, state);
    end(state, '1.2', 'failed');
    end(state, '1.1', 'completed');
    const { delegation, task } = one;
    const outcome = { status: 'completed' as const, summary: '', files: [], repairs: 0, degraded: [] };
    run.follow(stamp({ kind: 'delegation.ended', delegation, task, end: 'returned', outcome }, one.at + 5000), state);
    advance(state);
    const tasks = run.look(10)?.tasks ?? [];
    expect(tasks.map(({ id, tier, escalated, took }) => [id, tier, escalated, took])).toEqual([
      ['1.2', 'deep', true, undefined],
      ['1.1', 'standard', false, 5000],
    ]);
  });

  it('counts what the circuit breaker holds as trouble, until it is answered', () => {
    const tasks = ['1.1', '1.2', '1.3', '1.4'].map((id): TaskWords => ({ id }));
    const state = createdRun(planOf([tasks]), 4, true);
    const run = begun(state);
    advance(state);
    for (const { id } of tasks) end(state, id, 'blocked', { failure: { class: 'unclear', message: 'no' } });
    advance(state);
    const open = openCheckpoints(state);
    expect(open.map(({ kind }) => kind)).toEqual(['breaker']);
    expect(run.look(10)?.counts).toMatchObject({ trouble: 4, running: 0 });
    expect(run.look(10)?.tasks.map(({ standing }) => standing)).toEqual(['trouble', 'trouble', 'trouble', 'trouble']);
    const answered: NewEvent = {
      kind: 'checkpoint.answered',
      checkpoint: open[0]?.id ?? '',
      approved: true,
      by: 'person',
    };
    happen(state, answered);
    run.follow(stamp(answered, 2000), state);
    advance(state);
    expect(run.look(10)?.counts).toMatchObject({ trouble: 0, running: 4 });
  });

  it('counts what was asked about as failed when the run is over', () => {
    const state = createdRun(planOf([[{ id: '1.1' }]]), 4, true);
    const run = begun(state);
    advance(state);
    end(state, '1.1', 'blocked', { failure: { class: 'unclear', message: 'no' } });
    advance(state);
    expect(run.look(10)?.counts).toMatchObject({ trouble: 1, waiting: 0 });
    const over: NewEvent = { kind: 'run.ended', status: 'cancelled' };
    happen(state, over);
    run.follow(stamp(over, 2000), state);
    expect(run.look(10)?.counts).toMatchObject({ trouble: 1, waiting: 0 });
  });

  it('has the open checkpoints', () => {
    const state = createdRun(planOf([[{ id: '1.1' }]], { checkpoints: [{ afterWave: 1, why: 'look' }] }));
    const run = begun(state);
    advance(state);
    end(state, '1.1', 'completed');
    expect(run.look(10)?.checkpoints).toEqual([]);
    advance(state);
    expect(run.look(10)?.checkpoints).toEqual([
      { id: 'checkpoint-1', why: 'look', approve: 'continue the run', reject: 'stop the run here' },
    ]);
    happen(state, { kind: 'checkpoint.opened', checkpoint: 'checkpoint-2', type: 'edit', why: 'x', amendments: [] });
    expect(run.look(10)?.checkpoints[1]).toMatchObject({ id: 'checkpoint-2', isEdit: true });
  });
});

it('costs the same for a hundred thousand tasks', () => {
  const tasks = Array.from({ length: 100_000 }, (_, at): TaskWords => {
    return { id: `1.${at}`, mark: at < 300 ? 'x' : ' ' };
  });
  const state = createdRun(planOf([tasks]), 50);
  const run = begun(state);
  const goOn = (): void => {
    advance(state);
    for (const { registered } of state.active.values()) run.follow(registered, state);
  };
  goOn();
  run.look(40);
  const times: number[] = [];
  for (let frame = 0; frame < 50; frame += 1) {
    const task = `1.${300 + frame}`;
    end(state, task, 'failed');
    happen(state, { kind: 'task.settled', task, status: 'failed' });
    run.follow(stamp({ kind: 'task.settled', task, status: 'failed' }, 2000), state);
    goOn();
    let lines: readonly string[] = [];
    const time = timeOf(() => {
      const model = run.look(40);
      if (model === null) throw new Error('the run has begun');
      lines = liveView(model, { columns: 120, rows: 40 }, 5000);
    });
    times.push(time);
    expect(lines.at(-1)).toContain('more: ');
  }
  // The median. Reading every task would take a hundred times as long.
  expect(times.toSorted((one, other) => one - other)[25]).toBeLessThan(3);
  const model = run.look(40);
  expect(model?.counts).toEqual({ running: 50, trouble: 50, waiting: 99_600, skipped: 0, completed: 300 });
  const ids = (standing: string): string[] =>
    (model?.tasks ?? []).filter((task) => task.standing === standing).map(({ id }) => id);
  expect(ids('running').slice(0, 2)).toEqual(['1.350', '1.351']);
  expect(ids('trouble').slice(0, 2)).toEqual(['1.349', '1.348']);
  expect(ids('waiting').slice(0, 2)).toEqual(['1.400', '1.401']);
});
