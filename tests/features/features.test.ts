/** Whole runs of features, in memory: the order of steps, who is halted, what a person is asked, and what a crash costs. */
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/core/event/event.ts';
import { openCheckpoints } from '../../src/core/state/state.ts';
import { checkpointQuestion } from '../../src/views/run/checkpoint-question.ts';
import { Crash } from '../support/scripted-run.ts';
import { delegated, featureRun, standings, type Told } from './feature-script.ts';

const one = { docs: { auth: { phases: 1 }, payments: { phases: 1 }, mail: { phases: 1 } } };

const ofFeature = (events: readonly RunEvent[], slug: string): string[] =>
  delegated(events)
    .filter((id) => id.startsWith(`${slug}.`))
    .map((id) => id.slice(slug.length + 1));

const asked = (events: readonly RunEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'checkpoint.opened' ? [`${event.type}: ${event.why}`] : []));

describe('features', () => {
  it('are described, then built side by side, phase by phase', async () => {
    const run = featureRun('auth, payments');
    const state = await run.work();
    expect(state.status).toBe('completed');
    const steps = ['doc', '1.tdd', '1.review', '1.gate', '2.tdd', '2.review', '2.gate'];
    expect(ofFeature(run.events, 'auth')).toEqual(steps);
    expect(ofFeature(run.events, 'payments')).toEqual(steps);
    expect(delegated(run.events).slice(0, 4)).toEqual(['auth.doc', 'payments.doc', 'auth.1.tdd', 'payments.1.tdd']);
  });

  it('come one after the other where one needs the other, and by priority', async () => {
    const docs = {
      auth: { phases: 1, needs: ['Payments'] },
      payments: { phases: 1 },
      mail: { phases: 1, priority: 1 },
    };
    const run = featureRun('auth, payments, mail', { docs, concurrency: 1 });
    await run.work();
    expect(standings(run.state())).toEqual({ mail: 'completed', payments: 'completed', auth: 'completed' });
    const order = delegated(run.events);
    expect(order.indexOf('auth.1.tdd')).toBeGreaterThan(order.indexOf('payments.1.gate'));
    expect(order.indexOf('mail.1.tdd')).toBeLessThan(order.indexOf('payments.1.tdd'));
  });

  it('continue without a dependency that no one knows', async () => {
    const run = featureRun('auth', { docs: { auth: { phases: 1, needs: ['ledger'] } } });
    expect((await run.work()).status).toBe('completed');
  });

  it('are fixed by what a review found, and reviewed again', async () => {
    const run = featureRun('auth', { ...one, steps: { 'auth.1.review': 'no', 'auth.1.review-2': 'no' } });
    expect((await run.work()).status).toBe('completed');
    const steps = ['doc', '1.tdd', '1.review', '1.tdd-2', '1.review-2', '1.tdd-3', '1.review-3', '1.gate'];
    expect(ofFeature(run.events, 'auth')).toEqual(steps);
    const told = run.state().tasks.get('auth.1.tdd-2')?.planned.description;
    expect(told).toContain('> - auth.1.review says no');
    expect(told).toContain('data, not an instruction');
    expect(run.state().tasks.get('auth.1.review-2')?.planned.description).toContain('This is round 2:');
  });

  it('ask their extras in order, and note what is deferred', async () => {
    const extras = ['code-simplifier', 'silent-failure-hunter', 'type-design-analyzer'];
    const steps = { 'auth.1.code-simplifier': 'changed', 'auth.1.type-design-analyzer': 'later' } as const;
    const run = featureRun('auth', { ...one, extras, steps });
    expect((await run.work()).status).toBe('completed');
    const first = ['doc', '1.tdd', '1.review', '1.code-simplifier', '1.review-2'];
    const rest = ['1.silent-failure-hunter', '1.type-design-analyzer', '1.gate'];
    expect(ofFeature(run.events, 'auth')).toEqual([...first, ...rest]);
    const scopeOf = (id: string): readonly string[] | undefined => run.state().tasks.get(id)?.planned.scope;
    expect(scopeOf('auth.1.code-simplifier')).toEqual([]);
    expect(scopeOf('auth.1.review')).toEqual([expect.stringMatching(/^\.divisi\/runs\/.*auth\.1\.review\.md$/)]);
  });

  const refusals = {
    review: { 'auth.1.review': 'no', 'auth.1.review-2': 'no', 'auth.1.review-3': 'no' },
    gate: { 'auth.1.gate': 'no', 'auth.1.gate-2': 'no', 'auth.1.gate-3': 'no' },
  } as const;

  it.each(['review', 'gate'] as const)(
    'ask a person after the third no of a %s: yes goes on as it is',
    async (part) => {
      const run = featureRun('auth, mail', { ...one, steps: refusals[part] });
      const state = await run.work();
      expect(state).toMatchObject({ status: 'paused', needsAnswer: true });
      expect(standings(state)).toEqual({ auth: 'wait', mail: 'completed' });
      expect(asked(run.events)).toEqual([
        expect.stringMatching(/^feature: auth: .* after 3 rounds: auth.1.\w+-3 says no$/),
      ]);
      run.answer({ approved: true });
      expect((await run.work()).status).toBe('completed');
      expect(ofFeature(run.events, 'auth').filter((id) => id.startsWith('1.tdd'))).toHaveLength(3);
    },
  );

  it.each(['review', 'gate'] as const)(
    'are halted by a no to that (%s), with those that need them alone',
    async (part) => {
      const docs = { ...one.docs, payments: { phases: 1, needs: ['auth'] } };
      const run = featureRun('auth, payments, mail', { docs, steps: refusals[part] });
      await run.work();
      run.answer({ approved: false });
      const state = await run.work();
      expect(state.status).toBe('failed');
      expect(standings(state)).toEqual({ auth: 'halted', payments: 'halted', mail: 'completed' });
      expect(ofFeature(run.events, 'payments')).toEqual(['doc']);
      // Resumed, it is asked again; and a yes lets both continue.
      expect(await run.work()).toMatchObject({ status: 'paused', needsAnswer: true });
      run.answer({ approved: true });
      expect((await run.work()).status).toBe('completed');
      expect(standings(run.state())).toEqual({ auth: 'completed', payments: 'completed', mail: 'completed' });
    },
  );

  it.each(['review', 'gate'] as const)(
    'are fixed once more where a person says to a third no what to do (%s), also after they were halted',
    async (part) => {
      const run = featureRun('auth, mail', { ...one, steps: refusals[part] });
      const asks = await run.work();
      expect(openCheckpoints(asks).map((one) => checkpointQuestion(asks, one).reject)).toEqual([
        expect.stringContaining('with --note TEXT: fix it once more'),
      ]);
      run.answer({ approved: false });
      expect((await run.work()).status).toBe('failed');
      await run.work();
      run.answer({ approved: false, note: 'ask the index' });
      expect((await run.work()).status).toBe('completed');
      const fixed = run.state().tasks.get('auth.1.tdd-4')?.planned.description;
      expect(fixed).toContain(`> - auth.1.${part}-3 says no`);
      expect(fixed).toContain('Notes from a person:\n- ask the index');
      expect(ofFeature(run.events, 'auth').slice(-3)).toEqual(
        part === 'review' ? ['1.tdd-4', '1.review-4', '1.gate'] : ['1.tdd-4', '1.review-4', '1.gate-4'],
      );
    },
  );

  it('that were sent back once more stay so, whatever ends in between', async () => {
    const run = featureRun('auth', {
      ...one,
      steps: { ...refusals.review, 'auth.1.tdd-4': ['failed', 'failed', 'ok'] },
    });
    await run.work();
    run.answer({ approved: false, note: 'ask the index' });
    await run.work();
    run.answer({ approved: false });
    expect((await run.work()).status).toBe('failed');
    expect((await run.work()).status).toBe('completed');
    expect(ofFeature(run.events, 'auth').at(-1)).toBe('1.gate');
  });

  it('are told what a person says to a third no', async () => {
    const run = featureRun('auth', { ...one, steps: refusals.review });
    await run.work();
    run.answer({ approved: true, note: 'good enough for now' });
    await run.work();
    const told = run.state().tasks.get('auth.1.gate')?.planned.description;
    expect(told).toContain('Notes from a person:\n- good enough for now');
  });

  it('continue without what is halted, if a person says so', async () => {
    const run = featureRun('auth, mail', { ...one, steps: refusals.review });
    await run.work();
    run.answer({ approved: false });
    await run.work();
    const before = run.events.length;
    expect((await run.work({ start: { skipFailed: true } })).status).toBe('failed');
    expect(delegated(run.events.slice(before))).toEqual([]);
  });

  it('are halted by what stands in the way, or try again with what a person says', async () => {
    const docs = { ...one.docs, payments: { phases: 1, needs: ['auth'] } };
    const blocked: Told = { docs, steps: { 'auth.1.tdd': ['blocked', 'blocked', 'ok'] } };
    const run = featureRun('auth, payments, mail', blocked);
    const state = await run.work();
    expect(asked(run.events)).toEqual(['failure: auth.1.tdd: unclear: auth.1.tdd: which?']);
    expect(standings(state)).toEqual({ auth: 'wait', payments: 'behind', mail: 'completed' });
    run.answer({ approved: true, note: 'the first' });
    await run.work();
    expect(run.activities.at(-1)?.notes).toEqual(['the first']);
    run.answer({ approved: false });
    expect((await run.work()).status).toBe('failed');
    expect(standings(run.state())).toEqual({ auth: 'halted', payments: 'halted', mail: 'completed' });
    expect((await run.work()).status).toBe('completed');
  });

  it('continue a phase that its agent calls unfinished, twice, and then ask', async () => {
    const steps = { 'auth.1.tdd': ['partial', 'partial', 'partial', 'ok'] } as const;
    const run = featureRun('auth', { ...one, steps });
    await run.work();
    expect(ofFeature(run.events, 'auth')).toEqual(['doc', '1.tdd', '1.tdd', '1.tdd']);
    expect(run.activities.at(-1)?.earlier).toEqual([
      expect.stringContaining('attempt 1 (standard) did not finish, unfinished: more to do'),
      expect.stringContaining('attempt 2'),
    ]);
    run.answer({ approved: true });
    expect((await run.work()).status).toBe('completed');
  });

  it('continue where a person takes a return as good that no one could read', async () => {
    const docs = { auth: { phases: 2, needs: ['mail'], priority: 1 }, mail: { phases: 1 } };
    const run = featureRun('auth, mail', { docs, steps: { 'auth.doc': 'misread', 'auth.1.review': 'unread' } });
    const state = await run.work();
    expect(openCheckpoints(state).map((one) => checkpointQuestion(state, one).approve)).toEqual([
      'accept the work as done',
    ]);
    run.answer({ approved: true });
    await run.work();
    run.answer({ approved: true });
    expect((await run.work()).status).toBe('completed');
    // The document that its agent wrote counts, and what could be read of its return.
    const steps = ['doc', '1.tdd', '1.review', '1.gate', '2.tdd', '2.review', '2.gate'];
    expect(ofFeature(run.events, 'auth')).toEqual(steps);
    const order = delegated(run.events);
    expect(order.indexOf('mail.1.gate')).toBeLessThan(order.indexOf('auth.1.tdd'));
  });

  it('are described again where there is no document that a person could take as done', async () => {
    const run = featureRun('auth', { ...one, steps: { 'auth.doc': ['unread', 'ok'] } });
    const state = await run.work();
    expect(openCheckpoints(state).map((one) => checkpointQuestion(state, one).approve)).toEqual([
      'retry (--note TEXT instructs the agent)',
    ]);
    run.answer({ approved: true });
    expect((await run.work()).status).toBe('completed');
    expect(ofFeature(run.events, 'auth')).toEqual(['doc', 'doc', '1.tdd', '1.review', '1.gate']);
  });

  it('are built while the document of another waits for a person', async () => {
    const docs = { auth: { phases: 1 }, payments: { phases: 1, needs: ['auth'] }, mail: { phases: 1 } };
    const run = featureRun('auth, payments, mail', { docs, steps: { 'auth.doc': ['blocked', 'ok'] }, concurrency: 1 });
    const state = await run.work();
    expect(state).toMatchObject({ status: 'paused', needsAnswer: true });
    expect(standings(state)).toEqual({ auth: 'describing', payments: 'behind', mail: 'completed' });
    expect(delegated(run.events).slice(0, 3)).toEqual(['auth.doc', 'payments.doc', 'mail.doc']);
    run.answer({ approved: true });
    expect((await run.work()).status).toBe('completed');
  });

  it('are halted where they have no document, with those that need them', async () => {
    const docs = { payments: { phases: 1, needs: ['auth'] }, mail: { phases: 1 } };
    const run = featureRun('auth, payments, mail', { docs, steps: { 'auth.doc': 'blocked' } });
    await run.work();
    run.answer({ approved: false });
    expect((await run.work()).status).toBe('failed');
    expect(standings(run.state())).toEqual({ auth: 'halted', payments: 'halted', mail: 'completed' });
  });

  const circle = {
    docs: {
      auth: { phases: 1, needs: ['payments'], priority: 2 },
      payments: { phases: 1, needs: ['auth'], priority: 1 },
      mail: { phases: 1, needs: ['auth'] },
      ui: { phases: 1 },
    },
  };

  it('in a circle are a question, with the path and a way out: yes gives one need up', async () => {
    const run = featureRun('auth, payments, mail, ui', circle);
    const state = await run.work();
    expect(asked(run.events)).toEqual([
      'cycle: features depend on each other: auth → payments → auth; dropping “payments needs auth” puts payments first',
    ]);
    expect(standings(state)).toEqual({ auth: 'in-cycle', payments: 'in-cycle', mail: 'behind', ui: 'completed' });
    run.answer({ approved: true });
    expect((await run.work()).status).toBe('completed');
    const order = delegated(run.events).filter((id) => id.endsWith('.1.tdd'));
    expect(order).toEqual(['ui.1.tdd', 'payments.1.tdd', 'auth.1.tdd', 'mail.1.tdd']);
  });

  it('in a circle are opened where a person wants it', async () => {
    const run = featureRun('auth, payments, mail, ui', circle);
    const state = await run.work();
    const [question] = openCheckpoints(state).map((one) => checkpointQuestion(state, one));
    expect(question?.otherwise).toEqual([expect.stringContaining('--note "auth needs payments"')]);
    run.answer({ approved: true, note: 'auth needs payments, but not really' });
    expect((await run.work()).status).toBe('completed');
    const order = delegated(run.events).filter((id) => id.endsWith('.1.tdd'));
    expect(order.indexOf('auth.1.tdd')).toBeLessThan(order.indexOf('payments.1.tdd'));
  });

  it('in a circle are opened as proposed where a person speaks of something else', async () => {
    const run = featureRun('auth, payments, mail, ui', circle);
    await run.work();
    run.answer({ approved: true, note: 'fine, mail needs auth anyway' });
    expect((await run.work()).status).toBe('completed');
    const order = delegated(run.events).filter((id) => id.endsWith('.1.tdd'));
    expect(order).toEqual(['ui.1.tdd', 'payments.1.tdd', 'auth.1.tdd', 'mail.1.tdd']);
  });

  it('in a circle are halted by a no, with those that need them', async () => {
    const run = featureRun('auth, payments, mail, ui', circle);
    await run.work();
    run.answer({ approved: false });
    expect((await run.work()).status).toBe('failed');
    expect(standings(run.state())).toEqual({ auth: 'halted', payments: 'halted', mail: 'halted', ui: 'completed' });
  });

  it('that need one in a circle wait for it, however urgent they are', async () => {
    const more = {
      // In a second circle with auth, which is only seen once the first is open.
      payments: { phases: 1, needs: ['auth'], priority: 1 },
      auth: { phases: 1, needs: ['payments', 'sms'], priority: 2 },
      sms: { phases: 1, needs: ['auth'], priority: 1 },
      mail: { phases: 1, needs: ['auth'], priority: 1 },
      news: { phases: 1, needs: ['mail'], priority: 1 },
    };
    const built = (events: readonly RunEvent[]): string[] => delegated(events).filter((id) => !id.endsWith('.doc'));
    const run = featureRun('mail, news, auth, payments, sms', { docs: more });
    await run.work();
    expect(built(run.events)).toEqual([]);
    run.answer({ approved: false });
    const state = await run.work();
    expect(state.status).toBe('failed');
    expect(built(run.events)).toEqual([]);
    expect(new Set(Object.values(standings(state)))).toEqual(new Set(['halted']));
  });

  it('take no step twice, wherever the process dies', async () => {
    const docs = { ...one.docs, payments: { phases: 1, needs: ['auth'] } };
    const told: Told = { docs, steps: { 'auth.1.review': 'no', 'payments.1.gate': 'no' }, extras: ['code-simplifier'] };
    const whole = featureRun('auth, payments', told);
    await whole.work();
    const steps = whole.events
      .filter(({ kind }) => kind === 'step.added')
      .map((event) => 'task' in event && event.task);
    for (let crashAt = 5; crashAt < whole.events.length; crashAt += 1) {
      const run = featureRun('auth, payments', told);
      await expect(run.work({ crashAt })).rejects.toThrow(Crash);
      const state = await run.work({ recovers: crashAt % 2 === 0 });
      expect(state.status, `at ${crashAt}`).toBe('completed');
      const again = run.events
        .filter(({ kind }) => kind === 'step.added')
        .map((event) => 'task' in event && event.task);
      expect(again.map((task) => JSON.stringify(task)).toSorted()).toEqual(
        steps.map((task) => JSON.stringify(task)).toSorted(),
      );
      const settled = run.events.flatMap((event) => (event.kind === 'task.settled' ? [event.task] : []));
      expect(settled).toHaveLength(new Set(settled).size);
    }
    expect(openCheckpoints(whole.state())).toEqual([]);
  });
});
