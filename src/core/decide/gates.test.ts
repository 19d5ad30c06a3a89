/** Reviews and what follows from them, on the real loop. */
import { describe, expect, it } from 'vitest';
import { type Script, type ScriptedRun, scriptedRun } from '../../../tests/support/scripted-run.ts';
import { advance, createdRun, end, happen, outcomeOf, planOf } from '../../../tests/support/state-of.ts';
import type { Priority } from '../../gates/gate-steps.ts';
import type { NewEvent } from '../event/event.ts';
import type { RunState } from '../state/state.ts';

/** What reviews say, by their ids; those that are not named say LOW. */
function saying(verdicts: Readonly<Record<string, Priority | 'nothing'>>, work: Script = () => ({})): Script {
  return (activity) => {
    const { id } = activity.task;
    if (!id.includes(':review') || id.endsWith(':fix')) return work(activity);
    const priority = verdicts[id] ?? 'LOW';
    return priority === 'nothing' ? {} : { verdict: { priority, action: `see ${id}` }, report: `reports/${id}.md` };
  };
}

const ordered = ({ activities }: ScriptedRun): string[] => activities.map(({ task }) => task.id);
const reviewOf = (state: RunState): string[] =>
  state.checkpoints.flatMap(({ kind, status, why }) => (kind === 'review' ? [`${status} ${why}`] : []));
const one = [{ id: '1.1' }];
const twoWaves = [one, [{ id: '2.1' }]];

describe('a wave', () => {
  it('is reviewed before the next one starts, and the whole at the end', async () => {
    const run = scriptedRun(planOf(twoWaves), saying({}));
    expect((await run.work()).status).toBe('completed');
    expect(ordered(run)).toEqual(['1.1', 'wave-1:review', '2.1', 'wave-2:review', 'final:review']);
  });

  it('is reviewed at the tier the plan names, else at the strongest', async () => {
    const plan = planOf(twoWaves);
    const waves = plan.waves.map((wave) => (wave.number === 1 ? { ...wave, reviewTier: 'fast' as const } : wave));
    const run = scriptedRun({ ...plan, waves }, saying({}));
    await run.work();
    const reviews = run.activities.filter(({ task }) => task.id.includes('review'));
    expect(reviews.map(({ registered }) => registered.tier)).toEqual(['fast', 'deep', 'deep']);
  });

  it('is not reviewed where no work was done, nor where a program brings its own workers', async () => {
    const ticked = scriptedRun(planOf([[{ id: '1.1', mark: 'x' }]]), saying({}));
    expect([(await ticked.work()).status, ordered(ticked)]).toEqual(['completed', []]);
    const bare = scriptedRun(planOf(twoWaves), saying({}), { gated: false });
    expect([(await bare.work()).status, ordered(bare)]).toEqual(['completed', ['1.1', '2.1']]);
  });

  it('that is the only one has one review, which is the final review too', async () => {
    const run = scriptedRun(planOf([one]), saying({ 'wave-1:review': 'HIGH' }));
    const state = await run.work();
    expect(ordered(run)).toEqual(['1.1', 'wave-1:review', 'wave-1:fix', 'wave-1:review-2']);
    expect(state.gateTasks.get('wave-1:review')?.planned.description).toContain('It is the only wave of the run');
    const two = scriptedRun(planOf(twoWaves), saying({}));
    expect((await two.work()).gateTasks.get('wave-1:review')?.planned.description).not.toContain('only wave');
  });

  it('is not reviewed where the plan turns reviews off; a review that a task asks for is done', async () => {
    const plan = planOf([[{ id: '1.1', review: 'fast' }], [{ id: '2.1' }]]);
    const run = scriptedRun(plan, saying({ 'task-1.1:review': 'MED' }), { reviews: 'off' });
    const state = await run.work();
    expect(state.status).toBe('completed');
    expect(ordered(run).toSorted()).toEqual(['1.1', '2.1', 'task-1.1:review', 'task-1.1:review:fix']);
  });

  it('with HIGH is fixed and reviewed again before anything else', async () => {
    const plan = planOf([
      [
        { id: '1.1', scope: ['src'], forbidden: ['src/a/x', 'src/b/x', 'src/c'] },
        { id: '1.2', scope: ['docs', 'src/a', 'src/b'], forbidden: ['src/b'] },
      ],
      [{ id: '2.1' }],
    ]);
    const run = scriptedRun(plan, saying({ 'wave-1:review': 'HIGH' }));
    const state = await run.work();
    expect(ordered(run).slice(2)).toEqual([
      'wave-1:review',
      'wave-1:fix',
      'wave-1:review-2',
      '2.1',
      'wave-2:review',
      'final:review',
    ]);
    const fix = state.gateTasks.get('wave-1:fix')?.planned;
    // Of what one must leave alone, the other may touch src/a/x, and the first src/b.
    expect(fix).toMatchObject({ agent: 'fixer', scope: ['docs', 'src'], forbidden: ['src/b/x', 'src/c'] });
    expect(fix?.description).toContain('- “see wave-1:review”: reports/wave-1:review.md');
    expect(state.gateTasks.get('wave-1:review-2')?.planned.description).toContain('This is review 2.');
  });

  it('shows its state: running, reviewed, fixed', () => {
    const state = happen(createdRun(planOf(twoWaves), 1, true), { kind: 'run.started', command: 'x' });
    const seen: unknown[] = [];
    const then = (task: string, priority?: Priority): void => {
      advance(state);
      seen.push(state.waves[0]?.status);
      end(state, task, 'completed', priority === undefined ? {} : { verdict: { priority, action: 'x' } });
    };
    then('1.1');
    then('wave-1:review', 'HIGH');
    then('wave-1:fix');
    then('wave-1:review-2', 'LOW');
    advance(state);
    expect([...seen, state.waves[0]?.status]).toEqual(['running', 'reviewing', 'fixing', 'reviewing', 'completed']);
  });

  const always: Record<string, Priority> = Object.fromEntries(
    ['', '-2', '-3', '-4'].map((number) => [`wave-1:review${number}`, 'HIGH'] as const),
  );

  it('with HIGH three times is a question; a yes lets it pass as it is', async () => {
    const run = scriptedRun(planOf(twoWaves), saying(always));
    const paused = await run.work();
    expect(reviewOf(paused)).toEqual(['open the review of wave 1 still says HIGH after 3 rounds: see wave-1:review-3']);
    expect(ordered(run)).toEqual([
      '1.1',
      'wave-1:review',
      'wave-1:fix',
      'wave-1:review-2',
      'wave-1:fix-2',
      'wave-1:review-3',
    ]);
    run.answer({ approved: true });
    expect((await run.work()).status).toBe('completed');
    expect(ordered(run).slice(6)).toEqual(['2.1', 'wave-2:review', 'final:review']);
  });

  it('with a rejection is fixed again from the first round, with the note of the person', async () => {
    const run = scriptedRun(planOf(twoWaves), saying(always));
    await run.work();
    run.answer({ approved: false, note: 'look at the tests' });
    const state = await run.work();
    expect(state.status).toBe('completed');
    expect(ordered(run).slice(6, 10)).toEqual(['wave-1:fix-3', 'wave-1:review-4', 'wave-1:fix-4', 'wave-1:review-5']);
    const says = 'Notes from a person:\n- look at the tests';
    expect(state.gateTasks.get('wave-1:fix-3')?.planned.description).toContain(says);
    expect(state.gateTasks.get('wave-1:review-4')?.planned.description).toContain(says);
  });

  it('without a verdict is a question, never a LOW; a no has it reviewed again', async () => {
    const run = scriptedRun(planOf(twoWaves), saying({ 'wave-1:review': 'nothing' }));
    const paused = await run.work();
    expect([ordered(run), reviewOf(paused)]).toEqual([
      ['1.1', 'wave-1:review'],
      ['open the review of wave 1 gave no verdict'],
    ]);
    run.answer({ approved: false });
    await run.work();
    expect(ordered(run).slice(2, 4)).toEqual(['wave-1:review-2', '2.1']);
  });

  it('whose review fails for good is a question about the review, not about a task', async () => {
    const fails: Script = ({ task }) =>
      task.id === 'wave-1:review' ? { status: 'failed', failure: { class: 'environment', message: 'no' } } : {};
    const run = scriptedRun(planOf(twoWaves), (activity) =>
      activity.task.id === 'wave-1:review' ? fails(activity) : saying({})(activity),
    );
    expect((await run.work()).checkpoints.map(({ kind, why }) => [kind, why])).toEqual([
      ['review', 'the review of wave 1 gave no verdict'],
    ]);
  });

  const more: NewEvent = {
    kind: 'plan.amended',
    amendments: [
      {
        kind: 'add',
        wave: 1,
        at: 1,
        task: {
          id: '1.9',
          title: 'More',
          description: 'More',
          after: [],
          scope: [],
          accept: [],
          tier: 'standard',
          agent: 'worker',
          done: false,
        },
      },
    ],
  };

  it('that gets more work while a person is asked is reviewed again, and the question is dropped', () => {
    const state = happen(createdRun(planOf(twoWaves), 1, true), { kind: 'run.started', command: 'x' });
    advance(state);
    end(state, '1.1', 'completed');
    advance(state);
    end(state, 'wave-1:review', 'completed');
    advance(state);
    expect(state.checkpoints[0]?.status).toBe('open');
    happen(state, more);
    expect([...advance(state).keys()]).toEqual(['1.9']);
    expect(state.checkpoints[0]?.status).toBe('replaced');
    end(state, '1.9', 'completed');
    expect([...advance(state).keys()]).toEqual(['wave-1:review-2']);
  });

  it('that gets more work while it is reviewed is reviewed again, whatever the first review says', () => {
    const state = happen(createdRun(planOf(twoWaves), 2, true), { kind: 'run.started', command: 'x' });
    advance(state);
    end(state, '1.1', 'completed');
    advance(state);
    happen(state, more);
    expect([...advance(state).keys()]).toEqual(['1.9']);
    end(state, 'wave-1:review', 'completed', { verdict: { priority: 'LOW', action: 'go on' } });
    advance(state);
    end(state, '1.9', 'completed');
    expect([...advance(state).keys()]).toEqual(['wave-1:review-2']);
  });
});

describe('MED', () => {
  it('is deferred, and given to a fixer alongside the next wave', async () => {
    const run = scriptedRun(planOf(twoWaves), saying({ 'wave-1:review': 'MED' }), { concurrency: 1 });
    const state = await run.work();
    expect(ordered(run)).toEqual(['1.1', 'wave-1:review', '2.1', 'wave-1:review:fix', 'wave-2:review', 'final:review']);
    expect([...state.findings.values()]).toEqual([
      {
        id: 'wave-1:review',
        wave: 1,
        action: 'see wave-1:review',
        report: 'reports/wave-1:review.md',
        fix: 'wave-1:review:fix',
        isFixed: true,
      },
    ]);
  });

  it('of the last wave is fixed before the final review', async () => {
    const run = scriptedRun(planOf([one]), saying({ 'wave-1:review': 'MED' }));
    expect((await run.work()).status).toBe('completed');
    expect(ordered(run)).toEqual(['1.1', 'wave-1:review', 'wave-1:review:fix', 'final:review']);
  });

  it('of the final review is fixed at once, and deferred only when it remains', async () => {
    const run = scriptedRun(
      planOf(twoWaves),
      saying({ 'final:review': 'MED', 'final:review-2': 'MED', 'final:review-3': 'MED' }),
    );
    const state = await run.work();
    expect(ordered(run).slice(4)).toEqual([
      'final:review',
      'final:fix',
      'final:review-2',
      'final:fix-2',
      'final:review-3',
    ]);
    expect([state.status, [...state.index.deferred]]).toEqual(['completed', ['final:review-3']]);
  });

  it('whose fixer fails is known to be there still', async () => {
    const fails: Script = ({ task }) =>
      task.id === 'wave-1:review:fix' ? { status: 'failed', failure: { class: 'unclear', message: 'what?' } } : {};
    const run = scriptedRun(planOf([one]), saying({ 'wave-1:review': 'MED' }, fails));
    const state = await run.work();
    expect([state.status, state.findings.get('wave-1:review')?.isFixed]).toEqual(['completed', false]);
    expect(state.gateTasks.get('final:review')?.planned.description).toContain(
      'Deferred and not fixed:\n- “see wave-1:review”',
    );
  });
});

describe('a task with a review of its own', () => {
  const plan = planOf([
    [
      { id: '1.1', review: 'fast' },
      { id: '1.2', after: [{ task: '1.1' }] },
    ],
  ]);

  it('is done when its review lets it pass; what depends on it waits for that', async () => {
    const run = scriptedRun(plan, saying({ 'task-1.1:review': 'HIGH' }));
    expect((await run.work()).status).toBe('completed');
    expect(ordered(run)).toEqual([
      '1.1',
      'task-1.1:review',
      'task-1.1:fix',
      'task-1.1:review-2',
      '1.2',
      'wave-1:review',
    ]);
    expect(run.activities[1]?.registered.tier).toBe('fast');
  });

  it('is a question after the third HIGH, and keeps its work when the run is cancelled meanwhile', async () => {
    const high = ['', '-2', '-3', '-4'].map((number) => [`task-1.1:review${number}`, 'HIGH'] as const);
    const run = scriptedRun(plan, saying(Object.fromEntries(high)));
    expect(reviewOf(await run.work())).toEqual([
      'open the review of task 1.1 still says HIGH after 3 rounds: see task-1.1:review-3',
    ]);
    run.say({ kind: 'run.ended', status: 'cancelled' });
    await run.work();
    expect(ordered(run).slice(6)).toEqual(['task-1.1:review-4']);
    run.answer({ approved: true });
    expect((await run.work()).status).toBe('completed');
    expect(ordered(run).filter((id) => id === '1.1').length).toBe(1);
  });
});

describe('an audit', () => {
  async function audited(priority: Priority): Promise<{ run: ScriptedRun; state: RunState; at: number }> {
    const work: Script = ({ task, registered: { attempt } }) =>
      task.id === '2.1' && attempt === 1 ? { status: 'failed', failure: { class: 'unclear', message: 'what?' } } : {};
    const run = scriptedRun(planOf(twoWaves), saying({ 'audit:review': priority }, work));
    await run.work();
    run.answer({ approved: true });
    const at = run.activities.length;
    return { run, state: await run.work({ start: { audit: true } }), at };
  }

  it('continues after LOW', async () => {
    const { run, state, at } = await audited('LOW');
    expect([state.status, ordered(run).slice(at, at + 2)]).toEqual(['completed', ['audit:review', '2.1']]);
    expect(run.activities[at]?.registered).toMatchObject({ agent: 'auditor', tier: 'deep' });
  });

  it('that was interrupted continues, however often the run is started with one', () => {
    const started: NewEvent = { kind: 'run.started', command: 'x', audit: true };
    const state = happen(createdRun(planOf(twoWaves), 2, true), started);
    const [delegation] = advance(state).values();
    if (delegation === undefined) throw new Error('nothing was started');
    const outcome = outcomeOf('partial', { failure: { class: 'lost', message: 'gone' } });
    happen(state, { kind: 'delegation.ended', delegation, task: 'audit:review', end: 'lost', outcome }, started);
    expect([...advance(state).keys()]).toEqual(['audit:review']);
    end(state, 'audit:review', 'completed', { verdict: { priority: 'LOW', action: 'go on' } });
    expect([...advance(state).keys()]).toEqual(['1.1']);
  });

  it('sends trivial issues to a fixer and is not repeated', async () => {
    const { run, state, at } = await audited('MED');
    expect([state.status, ordered(run).slice(at, at + 3)]).toEqual(['completed', ['audit:review', 'audit:fix', '2.1']]);
  });

  it('asks where they were not fixed', () => {
    const state = happen(createdRun(planOf(twoWaves), 2, true), { kind: 'run.started', command: 'x', audit: true });
    advance(state);
    end(state, 'audit:review', 'completed', { verdict: { priority: 'MED', action: 'tidy up' } });
    advance(state);
    for (const _tier of ['standard', 'deep']) {
      end(state, 'audit:fix', 'failed', { failure: { class: 'agent-error', message: 'no' } });
      advance(state);
    }
    expect(reviewOf(state)).toEqual(['open the audit still says HIGH: tidy up (audit:fix did not fix it)']);
  });

  it('asks about anything else at once', async () => {
    const { run, state, at } = await audited('HIGH');
    expect(reviewOf(state)).toEqual(['open the audit still says HIGH: see audit:review']);
    run.answer({ approved: true });
    expect([(await run.work()).status, ordered(run).slice(at, at + 2)]).toEqual(['completed', ['audit:review', '2.1']]);
  });
});

describe('work that is opened again', () => {
  it('has the reviews of its wave and of the whole again, and no others', async () => {
    const run = scriptedRun(planOf(twoWaves), saying({}));
    await run.work();
    run.say({ kind: 'work.reopened', tasks: ['2.1'], why: 'a person wants it so' });
    const at = run.activities.length;
    expect((await run.work()).status).toBe('completed');
    expect(ordered(run).slice(at)).toEqual(['2.1', 'wave-2:review-2', 'final:review-2']);
  });

  it.each(['review', 'defer'] as const)('keeps what its result defers, after one that said %s', async (before) => {
    const work: Script = ({ task, registered: { attempt } }) => {
      if (task.id !== '1.1') return {};
      const action = attempt === 1 ? before : 'defer';
      return { structuredResult: { action, notes: [`seen in ${attempt}`], artifacts: [], fields: {} } };
    };
    const run = scriptedRun(planOf([one]), saying({ 'task-1.1:review': 'MED' }, work));
    await run.work();
    run.say({ kind: 'work.reopened', tasks: ['1.1'], why: 'a person wants it so' });
    const { status, findings } = await run.work();
    expect(status).toBe('completed');
    expect(Array.from(findings.values(), ({ id, action, isFixed }) => [id, action, isFixed])).toEqual([
      before === 'review' ? ['task-1.1:review', 'see task-1.1:review', true] : ['task-1.1:result', 'seen in 1', true],
      ['task-1.1:result-2', 'seen in 2', true],
    ]);
  });

  it('leaves deferred findings to their fixer, and other reviews alone', () => {
    const plan = planOf([one, [{ id: '2.1' }, { id: '2.2', review: 'deep' }]]);
    const state = happen(createdRun(plan, 5, true), { kind: 'run.started', command: 'x' });
    advance(state);
    end(state, '1.1', 'completed');
    advance(state);
    end(state, 'wave-1:review', 'completed', { verdict: { priority: 'MED', action: 'later' } });
    advance(state);
    end(state, '2.1', 'completed');
    end(state, '2.2', 'completed');
    expect([...advance(state).keys()]).toEqual(['task-2.2:review']);
    const outcome = outcomeOf('partial');
    for (const { registered } of state.active.values()) {
      const { delegation, task } = registered;
      happen(state, { kind: 'delegation.ended', delegation, task, end: 'cancelled', outcome });
    }
    happen(
      state,
      { kind: 'run.paused', reason: 'stopped', for: 'stop' },
      { kind: 'work.reopened', tasks: ['2.1'], why: 'x' },
      { kind: 'run.started', command: 'x' },
    );
    expect([...advance(state).keys()].toSorted()).toEqual(['2.1', 'task-2.2:review', 'wave-1:review:fix']);
  });
});

describe('a checkpoint of the plan', () => {
  const plan = planOf(twoWaves, { checkpoints: [{ afterWave: 1, why: 'look at it' }] });

  it('holds the run until a person has said yes', async () => {
    const run = scriptedRun(plan, saying({}));
    const paused = await run.work();
    expect([paused.status, paused.reason, ordered(run)]).toEqual([
      'paused',
      'checkpoint: look at it',
      ['1.1', 'wave-1:review'],
    ]);
    run.answer({ approved: true });
    expect((await run.work()).status).toBe('completed');
  });

  it('ends the run after a no, and asks again when it is resumed', async () => {
    const run = scriptedRun(plan, saying({}));
    await run.work();
    const cancelled = run.answer({ approved: false });
    expect(cancelled.status).toBe('cancelled');
    expect((await run.work()).checkpoints.map(({ status }) => status)).toEqual(['open']);
  });

  it('is passed in auto mode, on record; trouble is not', async () => {
    const run = scriptedRun(plan, saying({ 'wave-2:review': 'nothing' }), { mode: 'auto' });
    const state = await run.work();
    const answers = run.events.flatMap((event) =>
      event.kind === 'checkpoint.answered' ? [[event.by, event.approved]] : [],
    );
    expect([answers, reviewOf(state)]).toEqual([[['mode', true]], ['open the review of wave 2 gave no verdict']]);
  });
});
