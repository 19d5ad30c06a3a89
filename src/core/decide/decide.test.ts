import { describe, expect, it } from 'vitest';
import { advance, createdRun, end, happen, planOf } from '../../../tests/support/state-of.ts';
import { decide } from './decide.ts';
import type { RunState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import { waitingFor } from '../state/waiting.ts';
import { slowness, timeOf } from '../../../tests/support/processor-time.ts';

function started(state: RunState): RunState {
  return happen(state, { kind: 'run.started', command: 'a test' });
}

const running = (state: RunState): string[] => [...state.active.values()].map(({ registered }) => registered.task);
const statusOf = (state: RunState, task: string): string => state.tasks.get(task)?.progress.status ?? 'unknown';

function reasonOf(state: RunState, id: string): unknown {
  const task = state.tasks.get(id);
  return task === undefined ? 'unknown' : waitingFor(state, task);
}

describe('a wave', () => {
  it('runs its tasks side by side, up to the limit, in the order of the plan', () => {
    const state = started(createdRun(planOf([[{ id: '1.1' }, { id: '1.2' }, { id: '1.3' }]]), 2));
    advance(state);
    expect(running(state)).toEqual(['1.1', '1.2']);
    expect(reasonOf(state, '1.3')).toEqual({ for: 'concurrency', most: 2 });
    end(state, '1.2', 'completed');
    advance(state);
    expect(running(state)).toEqual(['1.1', '1.3']);
  });

  it('ends when all of its tasks have, and not before', () => {
    const state = started(createdRun(planOf([[{ id: '1.1' }, { id: '1.2' }], [{ id: '2.1' }]])));
    advance(state);
    end(state, '1.2', 'completed');
    advance(state);
    expect(running(state)).toEqual(['1.1']);
    expect(reasonOf(state, '2.1')).toEqual({ for: 'wave', wave: 2 });
    end(state, '1.1', 'failed');
    advance(state);
    expect(state.waves[0]?.status).toBe('failed');
    expect(running(state)).toEqual(['2.1']);
  });

  it('honours dependencies inside of it', () => {
    const plan = planOf([[{ id: 'a', after: [{ task: 'b' }] }, { id: 'b' }, { id: 'c' }]]);
    const state = started(createdRun(plan, 5));
    advance(state);
    expect(running(state)).toEqual(['b', 'c']);
    expect(reasonOf(state, 'a')).toEqual({ for: 'dependency', tasks: ['b'] });
    end(state, 'b', 'completed');
    advance(state);
    expect(running(state)).toEqual(['c', 'a']);
  });
});

it('a task that waits says for what in a paused run as well; what only a place is missing for waits for the run', () => {
  const plan = planOf([[{ id: 'a' }, { id: 'b', after: [{ task: 'a' }] }, { id: 'c' }], [{ id: 'd' }]]);
  const state = started(createdRun(plan, 1));
  advance(state);
  end(state, 'a', 'failed', { failure: { class: 'agent-error', message: 'no' } });
  happen(state, { kind: 'run.paused', reason: 'by a person', for: 'stop' });
  expect(['b', 'c', 'd'].map((id) => reasonOf(state, id))).toEqual([
    { for: 'dependency', tasks: ['a'] },
    { for: 'start', run: 'paused' },
    { for: 'wave', wave: 2 },
  ]);
});

describe('a task that does not complete', () => {
  it.each(['failed', 'partial', 'blocked'] as const)('skips its dependents and nothing else: %s', (status) => {
    const plan = planOf([
      [{ id: '1.1' }, { id: '1.2', after: [{ task: '1.1' }] }, { id: '1.3', after: [{ task: '1.2' }] }, { id: '1.4' }],
      [{ id: '2.1', after: [{ task: '1.3' }] }, { id: '2.2' }, { id: '2.3', after: [{ wave: 1 }] }],
    ]);
    const state = started(createdRun(plan, 5));
    advance(state);
    end(state, '1.1', status);
    end(state, '1.4', 'completed');
    advance(state);
    expect(running(state)).toEqual(['2.2']);
    end(state, '2.2', 'completed');
    advance(state);
    const skipped = [...state.tasks.keys()].filter((id) => statusOf(state, id) === 'skipped');
    expect(skipped).toEqual(['1.2', '1.3', '2.1', '2.3']);
    expect(state.status).toBe('failed');
  });

  it('is tried again, with what it had skipped, when the ended run is started again', () => {
    const plan = planOf([
      [{ id: '1.1' }, { id: '1.2' }],
      [{ id: '2.1', after: [{ task: '1.1' }] }, { id: '2.2' }],
    ]);
    const state = started(createdRun(plan, 5));
    advance(state);
    end(state, '1.1', 'failed');
    end(state, '1.2', 'completed');
    advance(state);
    end(state, '2.2', 'completed');
    advance(state);
    expect(state.status).toBe('failed');
    started(state);
    advance(state);
    expect(running(state)).toEqual(['1.1']);
    expect(state.tasks.get('1.1')?.attempts).toBe(2);
    end(state, '1.1', 'completed');
    advance(state);
    expect(running(state)).toEqual(['2.1']);
    end(state, '2.1', 'completed');
    advance(state);
    expect(state.status).toBe('completed');
  });
});

describe('scopes', () => {
  it('never overlap between tasks that run, and say who is in the way', () => {
    const plan = planOf([
      [
        { id: '1.1', scope: ['src'] },
        { id: '1.2', scope: ['src/a.ts'] },
        { id: '1.3', scope: ['src-old'] },
        { id: '1.4', scope: ['.'] },
      ],
    ]);
    const state = started(createdRun(plan, 5));
    advance(state);
    expect(running(state)).toEqual(['1.1', '1.3']);
    expect(reasonOf(state, '1.2')).toEqual({ for: 'scope-lock', task: '1.1' });
    expect(reasonOf(state, '1.4')).toEqual({ for: 'scope-lock', task: '1.1' });
    end(state, '1.1', 'completed');
    advance(state);
    expect(running(state)).toEqual(['1.3', '1.2']);
    end(state, '1.3', 'completed');
    end(state, '1.2', 'completed');
    advance(state);
    expect(running(state)).toEqual(['1.4']);
  });

  it('cost no more than a look for each end when ten thousand tasks share one', () => {
    const tasks = Array.from({ length: 10_000 }, (_, at) => ({ id: `1.${at}`, scope: ['src'] }));
    const state = started(createdRun(planOf([tasks]), 16));
    const time = timeOf(() => {
      for (let [task] = advance(state).keys(); task !== undefined; [task] = advance(state).keys())
        end(state, task, 'completed');
    });
    expect(state.status).toBe('completed');
    // Comparing each with each would be fifty million comparisons.
    expect(time / slowness()).toBeLessThan(3000);
  });
});

describe('checkpoints', () => {
  const plan = planOf([[{ id: '1.1' }], [{ id: '2.1' }]], { checkpoints: [{ afterWave: 1, why: 'look at it' }] });

  it('hold the run until they are approved', () => {
    const state = started(createdRun(plan));
    advance(state);
    end(state, '1.1', 'completed');
    advance(state);
    expect(running(state)).toEqual([]);
    expect(reasonOf(state, '2.1')).toEqual({ for: 'checkpoint', checkpoint: 'checkpoint-1', why: 'look at it' });
    expect(decide(state)).toEqual([]);
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: true, by: 'person' });
    advance(state);
    expect(running(state)).toEqual(['2.1']);
  });

  it('pass the note of the person on to the next tasks', () => {
    const state = started(createdRun(plan));
    advance(state);
    end(state, '1.1', 'completed');
    advance(state);
    const answer = { checkpoint: 'checkpoint-1', approved: true, note: 'use blue', by: 'person' } as const;
    happen(state, { kind: 'checkpoint.answered', ...answer });
    expect(['1.1', '2.1'].map((id) => state.tasks.get(id)?.notes)).toEqual([[], ['use blue']]);
  });

  it('end the run when they are rejected, and ask again when it is resumed', () => {
    const state = started(createdRun(plan));
    advance(state);
    end(state, '1.1', 'completed');
    advance(state);
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: false, by: 'person' });
    advance(state);
    expect(state.status).toBe('cancelled');
    started(state);
    advance(state);
    expect(state.checkpoints[0]?.status).toBe('open');
  });
});

describe('a question about an edit', () => {
  const question = { checkpoint: 'checkpoint-1', type: 'edit', why: '1.2 changed' } as const;

  it.each([true, false])('holds only the task it is about, until the answer: %s', (approved) => {
    const state = started(createdRun(planOf([[{ id: '1.1' }, { id: '1.2' }, { id: '1.3' }]]), 1));
    advance(state);
    const task = { ...(state.tasks.get('1.2') as TaskState).planned, title: 'Another title' };
    happen(state, { kind: 'checkpoint.opened', ...question, amendments: [{ kind: 'change', task }] });
    end(state, '1.1', 'completed');
    advance(state);
    expect(running(state)).toEqual(['1.3']);
    end(state, '1.3', 'completed');
    advance(state);
    expect(running(state)).toEqual([]);
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved, by: 'person' });
    advance(state);
    expect([running(state), state.tasks.get('1.2')?.planned.title]).toEqual([
      ['1.2'],
      approved ? 'Another title' : 'Task 1.2',
    ]);
  });
});

describe('what cannot be', () => {
  it('is refused: a task settled before its attempt has ended, a second start of what has completed', () => {
    const state = started(createdRun(planOf([[{ id: '1.1' }]])));
    expect(() => happen(state, { kind: 'task.settled', task: '1.1', status: 'completed' })).toThrow(
      /cannot happen now/,
    );
    advance(state);
    end(state, '1.1', 'completed');
    advance(state);
    expect(state.status).toBe('completed');
    expect(() => started(state)).toThrow(/has completed/);
  });
});

it('takes what the plan has ticked as completed', () => {
  const state = started(
    createdRun(
      planOf([
        [
          { id: '1.1', mark: 'x' },
          { id: '1.2', after: [{ task: '1.1' }] },
        ],
      ]),
    ),
  );
  advance(state);
  expect(running(state)).toEqual(['1.2']);
});
