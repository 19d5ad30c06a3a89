/** The consequence of each failure class, on the real loop. */
import { describe, expect, it } from 'vitest';
import { type Script, type ScriptedRun, scriptedRun } from '../../../tests/support/scripted-run.ts';
import {
  advance,
  createdRun,
  end,
  happen,
  planOf,
  type TaskWords,
  outcomeOf,
} from '../../../tests/support/state-of.ts';
import type { FailureClass } from '../../gates/failure-policy.ts';
import type { EventOf } from '../event/event.ts';
import type { Failure } from '../event/outcome.ts';
import { askedTask, openCheckpoints, type RunState } from '../state/state.ts';

const low = { verdict: { priority: 'LOW', action: 'go on' } } as const;

const failed = (failure: FailureClass, message = 'it broke', more: Partial<Failure> = {}): ReturnType<Script> => ({
  status: 'failed',
  failure: { class: failure, message, ...more },
});

/** What the script says about tasks of the plan; reviews find nothing. */
function runOf(
  tasks: readonly TaskWords[],
  script: Script,
  settings: Partial<EventOf<'run.created'>['settings']> = { concurrency: 1 },
): ScriptedRun {
  const work: Script = (activity) => (activity.task.id.includes(':review') ? low : script(activity));
  return scriptedRun(planOf([tasks]), work, settings);
}

function retriesOf({ events }: ScriptedRun): string[] {
  return events.flatMap((event) => (event.kind === 'task.retried' ? [`${event.task} ${event.tier} ${event.why}`] : []));
}

const tiersOf = ({ activities }: ScriptedRun, id: string): string[] =>
  activities.flatMap(({ task, registered }) => (task.id === id ? [registered.tier] : []));
const earlierOf = ({ activities }: ScriptedRun, id: string): readonly (readonly string[])[] =>
  activities.flatMap(({ task, earlier }) => (task.id === id ? [earlier] : []));
const statusOf = ({ tasks }: RunState, id: string): string | undefined => tasks.get(id)?.progress.status;
const asked = (state: RunState): string[] =>
  state.checkpoints.map(({ kind, status, why }) => `${kind} ${status} ${why}`);

describe('a return that was refused', () => {
  it('is asked for again in the same delegation', () => {
    const state = happen(createdRun(planOf([[{ id: '1.1' }]]), 1, true), { kind: 'run.started', command: 'x' });
    const delegation = advance(state).get('1.1');
    if (delegation === undefined) throw new Error('nothing was started');
    happen(state, { kind: 'return.refused', delegation, repair: 1, violations: ['no status'] });
    expect([statusOf(state, '1.1'), state.active.get(delegation)?.repairs]).toEqual(['repairing', 1]);
    end(state, '1.1', 'completed', { repairs: 1 });
    advance(state);
    expect([statusOf(state, '1.1'), state.tasks.get('1.1')?.attempts]).toEqual(['completed', 1]);
  });
});

describe('an agent that fails', () => {
  it('is replaced by a stronger one, which gets an account of what was tried', async () => {
    const run = runOf([{ id: '1.1', tier: 'fast' }], ({ registered: { tier, attempt } }) =>
      tier === 'deep' ? {} : { ...failed('agent-error', `attempt ${attempt} broke`), report: `reports/${attempt}.md` },
    );
    expect((await run.work()).status).toBe('completed');
    expect(retriesOf(run)).toEqual(['1.1 standard escalated', '1.1 deep escalated']);
    expect(earlierOf(run, '1.1')).toEqual([
      [],
      ['attempt 1 (fast) failed, agent-error: attempt 1 broke; its report: reports/1.attempt-1.md'],
      [
        'attempt 1 (fast) failed, agent-error: attempt 1 broke; its report: reports/1.attempt-1.md',
        'attempt 2 (standard) failed, agent-error: attempt 2 broke; its report: reports/2.attempt-2.md',
      ],
    ]);
  });

  it('without a reason has failed anyway, and a person is asked when there is no stronger tier', async () => {
    const run = runOf([{ id: '1.1', tier: 'deep' }], () => ({ status: 'failed', summary: 'I give up' }));
    const state = await run.work();
    expect([state.status, state.needsAnswer, asked(state)]).toEqual([
      'paused',
      true,
      ['failure open 1.1: agent-error: I give up'],
    ]);
  });

  it('goes back with the evidence twice before a stronger one gets it', async () => {
    const run = runOf([{ id: '1.1', tier: 'standard' }], ({ registered: { tier } }) =>
      tier === 'deep' ? {} : failed('verification-failed', 'npm test: 1 failed'),
    );
    expect((await run.work()).status).toBe('completed');
    expect(retriesOf(run)).toEqual(['1.1 standard again', '1.1 standard again', '1.1 deep escalated']);
    expect(tiersOf(run, '1.1')).toEqual(['standard', 'standard', 'standard', 'deep']);
    expect(earlierOf(run, '1.1')[1]).toEqual(['attempt 1 (standard) failed, verification-failed: npm test: 1 failed']);
  });

  it('out of time gets one more try, then a stronger one', async () => {
    const run = runOf([{ id: '1.1' }], ({ registered: { tier, attempt } }) =>
      tier === 'deep'
        ? {}
        : { ...failed('timeout', `after ${'x'.repeat(attempt)}`), end: 'timed-out', status: 'partial' },
    );
    expect((await run.work()).status).toBe('completed');
    expect(retriesOf(run)).toEqual(['1.1 standard again', '1.1 deep escalated']);
  });

  it('at its limit is a question for a person, who grants one more attempt of the same tier with what is there', async () => {
    const message = 'stopped at its limit of 60 turns';
    const run = runOf([{ id: '1.1', tier: 'fast' }], () => ({ ...failed('limit', message), status: 'partial' }));
    const state = await run.work();
    expect([tiersOf(run, '1.1'), asked(state)]).toEqual([['fast'], [`failure open 1.1: limit: ${message}`]]);
    run.answer({ approved: true });
    const again = await run.work();
    expect([tiersOf(run, '1.1'), asked(again)[1]]).toEqual([['fast', 'fast'], `failure open 1.1: limit: ${message}`]);
  });

  it('that is lost again and again is a question for a person', async () => {
    const run = runOf([{ id: '1.1' }], () => ({ ...failed('lost', 'gone'), end: 'lost', status: 'partial' }));
    const state = await run.work();
    expect([tiersOf(run, '1.1').length, asked(state)]).toEqual([4, ['failure open 1.1: lost: gone']]);
  });
});

describe('a quota', () => {
  it('is waited for until its time, and is not a failure', async () => {
    const until = 1_700_000_500_000;
    const run = runOf([{ id: '1.1' }, { id: '1.2' }], ({ registered: { attempt }, task }) =>
      task.id === '1.1' && attempt === 1 ? failed('quota', 'come back later', { until }) : {},
    );
    const state = await run.work();
    expect([state.status, retriesOf(run), state.tasks.get('1.1')?.failures]).toEqual([
      'completed',
      ['1.1 standard waited'],
      [],
    ]);
    const order = run.events.flatMap((event): (string | number)[] => {
      if (event.kind === 'clock.reached') return [event.time];
      return event.kind === 'delegation.registered' ? [event.task] : [];
    });
    expect(order.slice(0, 3)).toEqual(['1.1', until, '1.2']);
  });

  it('without a time is waited for longer each time, and not so long again after it was there', async () => {
    const run = runOf([{ id: '1.1' }, { id: '1.2', after: [{ task: '1.1' }] }], ({ registered: { attempt }, task }) =>
      attempt <= (task.id === '1.1' ? 3 : 1) ? failed('quota') : {},
    );
    await run.work();
    const times = run.events.flatMap((event) => (event.kind === 'clock.reached' ? [event.time - event.at] : []));
    expect(times.map((time) => time / 60_000)).toEqual([1, 2, 4, 1]);
  });
});

describe('a limit that several meet at once', () => {
  it('is one limit, with one guess', async () => {
    const tasks = [{ id: '1.1' }, { id: '1.2' }, { id: '1.3' }];
    const run = runOf(tasks, ({ registered: { attempt } }) => (attempt === 1 ? failed('quota') : {}), {
      concurrency: 3,
    });
    expect((await run.work()).status).toBe('completed');
    const times = run.events.flatMap((event) => (event.kind === 'clock.reached' ? [event.time - event.at] : []));
    expect(times.map((time) => time / 60_000)).toEqual([1]);
  });
});

describe('what only a person can help with', () => {
  const tasks = [{ id: '1.1' }, { id: '1.2', after: [{ task: '1.1' }] }, { id: '1.3' }];

  it('is asked at once, while the rest continues, and tried again with the note of the person', async () => {
    const run = runOf(tasks, ({ registered: { attempt }, task }) =>
      task.id === '1.1' && attempt === 1 ? failed('environment', 'no such tool') : {},
    );
    const paused = await run.work();
    expect([statusOf(paused, '1.1'), statusOf(paused, '1.2'), statusOf(paused, '1.3')]).toEqual([
      'ended',
      'pending',
      'completed',
    ]);
    run.answer({ approved: true, note: 'it is installed now' });
    expect((await run.work()).status).toBe('completed');
    expect(retriesOf(run)).toEqual(['1.1 standard approved']);
    expect(earlierOf(run, '1.1')[1]).toEqual(['attempt 1 (standard) failed, environment: no such tool']);
    expect(run.activities.find(({ registered: { attempt } }) => attempt === 2)?.notes).toEqual(['it is installed now']);
  });

  it('is left after a no, and what depends on it with it', async () => {
    const run = runOf(tasks, ({ task }) => (task.id === '1.1' ? failed('unclear', 'which one?') : {}));
    await run.work();
    run.answer({ approved: false });
    const state = await run.work();
    expect(state.status).toBe('failed');
    expect([statusOf(state, '1.1'), statusOf(state, '1.2'), statusOf(state, '1.3')]).toEqual([
      'failed',
      'skipped',
      'completed',
    ]);
  });

  it('keeps its answer when the run is cancelled before anything has come of it', async () => {
    const run = runOf(tasks, ({ task }) =>
      task.id === '1.1' ? { ...failed('contract-violation', 'no status'), report: 'said.md' } : {},
    );
    await run.work();
    run.answer({ approved: true });
    run.say({ kind: 'run.ended', status: 'cancelled' });
    expect([(await run.work()).status, tiersOf(run, '1.1').length]).toEqual(['completed', 1]);
  });

  it('is accepted as it is after an approval of an unreadable return', async () => {
    const run = runOf(tasks, ({ task }) =>
      task.id === '1.1' ? { ...failed('contract-violation', 'no status'), status: 'blocked', report: 'said.md' } : {},
    );
    await run.work();
    run.answer({ approved: true });
    const state = await run.work();
    expect([state.status, tiersOf(run, '1.1').length]).toEqual(['completed', 1]);
    expect(state.tasks.get('1.1')?.progress).toMatchObject({
      status: 'completed',
      outcome: { status: 'completed', degraded: ['accepted-by-a-person'] },
    });
  });
});

describe('three equal failures in a wave', () => {
  const tasks = ['1.1', '1.2', '1.3', '1.4'].map((id) => ({ id }));
  const breaks: Script = ({ task, registered: { attempt } }) =>
    task.id !== '1.4' && attempt === 1 ? failed('environment', `no tool ${task.id}`) : {};

  it('stop the wave with one question instead of three', async () => {
    const run = runOf(tasks, breaks);
    const state = await run.work();
    expect(state.checkpoints.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'failure replaced',
      'failure replaced',
      'breaker open',
    ]);
    expect(tiersOf(run, '1.4')).toEqual([]);
  });

  it('are tried again together after a yes', async () => {
    const run = runOf(tasks, breaks);
    await run.work();
    run.answer({ approved: true });
    expect((await run.work()).status).toBe('completed');
    expect(retriesOf(run).toSorted()).toEqual([
      '1.1 standard approved',
      '1.2 standard approved',
      '1.3 standard approved',
    ]);
  });

  it('are counted from the beginning after an answer', async () => {
    const run = runOf(tasks, (activity) =>
      activity.task.id === '1.1' && activity.registered.attempt < 3
        ? failed('environment', 'no tool 1.1')
        : breaks(activity),
    );
    await run.work();
    run.answer({ approved: true });
    const state = await run.work();
    expect(openCheckpoints(state).map((one) => [one.kind, askedTask(one)])).toEqual([['failure', '1.1']]);
  });

  it('are left together after a no', async () => {
    const run = runOf(tasks, breaks);
    await run.work();
    run.answer({ approved: false });
    const state = await run.work();
    expect([...state.tasks.values()].map(({ progress }) => progress.status)).toEqual([
      'failed',
      'failed',
      'failed',
      'completed',
    ]);
  });

  it('are asked about with those that would have been tried again, and a no leaves these too', async () => {
    const run = runOf(tasks, ({ task }) => (task.id === '1.4' ? {} : failed('agent-error', 'same error')));
    const paused = await run.work();
    expect([openCheckpoints(paused).map(({ kind }) => kind), retriesOf(run)]).toEqual([
      ['breaker'],
      ['1.1 deep escalated', '1.2 deep escalated'],
    ]);
    run.answer({ approved: false });
    const state = await run.work();
    expect(tasks.map(({ id }) => statusOf(state, id))).toEqual(['failed', 'failed', 'failed', 'completed']);
    expect(tasks.map(({ id }) => tiersOf(run, id).length)).toEqual([1, 1, 1, 1]);
  });

  it('do not take along what has failed in another way since', () => {
    const state = happen(createdRun(planOf([tasks]), 4, true), { kind: 'run.started', command: 'x' });
    const fail = (id: string, failure: Failure): void => {
      advance(state);
      end(state, id, 'failed', { failure });
    };
    fail('1.1', { class: 'agent-error', message: 'same error' });
    fail('1.1', { class: 'environment', message: 'another' });
    fail('1.2', { class: 'agent-error', message: 'same error' });
    fail('1.3', { class: 'agent-error', message: 'same error' });
    advance(state);
    expect(openCheckpoints(state).map((one) => [one.kind, askedTask(one)])).toEqual([
      ['failure', '1.1'],
      ['breaker', undefined],
    ]);
    expect(state.tasks.get('1.1')?.progress).toMatchObject({ asks: { checkpoint: 'checkpoint-1' } });
  });

  it('of a run that has ended do not keep it from trying them again, whatever else is open again', async () => {
    const run = runOf([{ id: '1.1' }, { id: '1.2' }], ({ task, registered: { attempt } }) =>
      task.id === '1.2' && attempt === 1 ? failed('environment') : {},
    );
    await run.work();
    run.answer({ approved: false });
    expect((await run.work()).status).toBe('failed');
    run.say({ kind: 'work.reopened', tasks: ['1.1'], why: 'its files are gone' });
    expect((await run.work()).status).toBe('completed');
    expect(tiersOf(run, '1.2')).toHaveLength(2);
  });

  it('do not take along what waits for work that is done again', () => {
    const after = [{ task: '1.3' }];
    const state = happen(createdRun(planOf([[...tasks.slice(0, 3), { id: '1.4', after }]]), 4, true), {
      kind: 'run.started',
      command: 'x',
    });
    advance(state);
    end(state, '1.3', 'completed');
    advance(state);
    const failure = { class: 'agent-error', message: 'same error' } as const;
    end(state, '1.4', 'failed', { failure });
    // It is to be tried again by a stronger agent when what it depends on is open again.
    happen(state, { kind: 'task.retried', task: '1.4', tier: 'deep', why: 'escalated' });
    for (const id of ['1.1', '1.2']) end(state, id, 'failed', { failure });
    happen(state, { kind: 'run.paused', reason: 'stopped', for: 'stop' });
    happen(state, { kind: 'work.reopened', tasks: ['1.3'], why: 'so' }, { kind: 'run.started', command: 'x' });
    advance(state);
    expect(openCheckpoints(state).map(({ kind }) => kind)).toEqual(['breaker']);
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: true, by: 'person' });
    expect([...advance(state).keys()].toSorted()).toEqual(['1.1', '1.2', '1.3']);
  });

  it('of a review start afresh as well, when the run was cancelled before the answer', async () => {
    let isKind = false;
    const run = scriptedRun(planOf([[{ id: '1.1' }, { id: '1.2' }, { id: '1.3' }]]), ({ task }) => {
      if (!isKind && task.id !== '1.3') return failed('environment', 'no tool');
      return task.id.includes(':review') ? low : {};
    });
    await run.work();
    run.answer({ approved: false, all: true });
    expect(openCheckpoints(await run.work()).map(({ kind }) => kind)).toEqual(['breaker']);
    run.say({ kind: 'run.ended', status: 'cancelled' });
    isKind = true;
    expect((await run.work()).status).toBe('completed');
  });

  it('are asked about once, however many more come until the answer', () => {
    const state = happen(createdRun(planOf([tasks]), 4, true), { kind: 'run.started', command: 'x' });
    advance(state);
    for (const { id } of tasks) {
      end(state, id, 'failed', { failure: { class: 'environment', message: 'no tool' } });
      advance(state);
    }
    expect(openCheckpoints(state).map(({ kind }) => kind)).toEqual(['breaker']);
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-3', approved: true, by: 'person' });
    expect([...advance(state).keys()].toSorted()).toEqual(['1.1', '1.2', '1.3', '1.4']);
  });

  it('are counted for each wave alone', async () => {
    const waves = planOf([[{ id: '1.1' }, { id: '1.2' }], [{ id: '2.1' }]]);
    const run = scriptedRun(waves, ({ task }) =>
      task.id.includes(':review') ? low : failed('environment', `no tool ${task.id}`),
    );
    await run.work();
    run.answer({ approved: false, all: true });
    const state = await run.work();
    expect(state.checkpoints.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'failure rejected',
      'failure rejected',
      'failure open',
    ]);
  });

  it('are counted through a pause, and from the beginning in a run that had ended', () => {
    const state = happen(createdRun(planOf([tasks]), 1, true), { kind: 'run.started', command: 'x' });
    const fail = (id: string): void => {
      advance(state);
      end(state, id, 'failed', { failure: { class: 'environment', message: 'no tool' } });
    };
    fail('1.1');
    fail('1.2');
    advance(state);
    const interrupted = [...state.active.keys()][0];
    if (interrupted === undefined) throw new Error('nothing runs');
    const outcome = outcomeOf('partial');
    happen(state, { kind: 'delegation.ended', delegation: interrupted, task: '1.3', end: 'cancelled', outcome });
    happen(state, { kind: 'run.paused', reason: 'stopped', for: 'stop' }, { kind: 'run.started', command: 'x' });
    fail('1.3');
    advance(state);
    expect(openCheckpoints(state).map(({ kind }) => kind)).toEqual(['breaker']);
    happen(state, { kind: 'run.ended', status: 'cancelled' }, { kind: 'run.started', command: 'x' });
    expect([state.failures.size, state.index.tripped.size]).toEqual([0, 0]);
  });
});

describe('trouble where nobody is asked', () => {
  const tasks = [{ id: '1.1' }, { id: '1.2', after: [{ task: '1.1' }] }, { id: '1.3' }];
  const fails: Script = ({ task: { id } }) => (id === '1.1' ? failed('unclear', 'which one?') : {});
  const answersOf = ({ events }: ScriptedRun): string[] =>
    events.flatMap((event) =>
      event.kind === 'checkpoint.answered' ? [`${event.checkpoint} ${event.approved} ${event.by}`] : [],
    );

  it('is rejected on record, and the rest continues', async () => {
    const run = runOf(tasks, fails);
    const state = await run.work({ start: { onTrouble: 'reject' } });
    expect([state.status, answersOf(run)]).toEqual(['failed', ['checkpoint-1 false on-trouble']]);
    expect(Array.from(state.tasks.values(), ({ progress }) => progress.status)).toEqual([
      'failed',
      'skipped',
      'completed',
    ]);
  });

  it('pauses the run at once, with the question open; a resumed run asks as usual', async () => {
    const run = runOf([...tasks, { id: '1.4', after: [{ task: '1.3' }] }], fails);
    const state = await run.work({ start: { onTrouble: 'stop' } });
    expect([state.status, state.needsAnswer, answersOf(run)]).toEqual(['paused', true, []]);
    expect(state.tasks.get('1.4')?.attempts).toBe(0);
    const later = await run.work();
    expect([later.onTrouble, later.tasks.get('1.4')?.progress.status]).toEqual([null, 'completed']);
  });

  it('of a review ends the run instead of fixing without end; resumed, it is fixed again', async () => {
    const high: Script = ({ task: { id } }) =>
      id.includes(':review') ? { verdict: { priority: 'HIGH', action: 'still wrong' } } : {};
    const run = scriptedRun(planOf([[{ id: '1.1' }]]), high);
    const state = await run.work({ start: { onTrouble: 'reject' } });
    expect([state.status, answersOf(run)]).toEqual(['cancelled', ['checkpoint-1 false on-trouble']]);
    const before = run.activities.length;
    expect((await run.work()).status).toBe('paused');
    expect(run.activities[before]?.task.id).toBe('wave-1:fix-3');
  });

  it('is not a checkpoint of the plan', async () => {
    const plan = { ...planOf([[{ id: '1.1' }]]), checkpoints: [{ afterWave: 1, why: 'look at it' }] };
    const run = scriptedRun(plan, ({ task: { id } }) =>
      id.includes(':review') ? { verdict: { priority: 'LOW', action: 'none' } } : {},
    );
    const state = await run.work({ start: { onTrouble: 'reject' } });
    expect([state.status, answersOf(run)]).toEqual(['paused', []]);
  });
});
