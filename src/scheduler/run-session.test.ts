import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { outcomeOf, planOf } from '../../tests/support/state-of.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import type { RunId } from '../base/ids.ts';
import type { RunEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import { systemClock } from '../engine/clock.ts';
import { commitQueue } from '../ledger/commit-queue.ts';
import { foldRun } from '../ledger/fold-run.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { Plan } from '../plan/plan.ts';
import { withLease } from '../project/with-lease.ts';
import { beginRun } from './begin/begin-run.ts';
import { planEvents } from './begin/plan-events.ts';
import { type RunPorts, type RunSession, runSession, type Workers } from './run-session.ts';

const folder = temporaryFolders();
const opened: Ledger[] = [];
afterEach(() => opened.splice(0).forEach((ledger) => ledger.close()));

interface Script extends Partial<Workers>, Partial<Pick<RunPorts, 'atCheckpoint'>> {
  readonly plan?: Plan;
  readonly concurrency?: number;
  /** Called with the session before it starts. */
  readonly before?: (session: RunSession) => void;
}

interface Worked {
  readonly state: RunState;
  readonly session: RunSession;
  /** Calls of the workers, in order. */
  readonly calls: readonly string[];
  /** The kinds of the run's events in the ledger. */
  readonly kinds: readonly RunEvent['kind'][];
  /** The error that `start` rejects with. */
  readonly error: unknown;
}

const holding = { command: 'test', warn: (): void => undefined };
const settings = { driver: '', deadlines: {}, mode: 'default', budgets: {}, gated: false } as const;
const twoWaves = planOf([[{ id: '1.1' }], [{ id: '2.1' }]], { checkpoints: [{ afterWave: 1, why: 'look' }] });

function newLedger(): Ledger {
  const ledger = openLedger(join(folder(), 'ledger.db'));
  opened.push(ledger);
  return ledger;
}

async function work(ledger: Ledger, run: RunId | undefined, script: Script): Promise<Worked> {
  const { before, atCheckpoint = 'pause', plan = twoWaves, concurrency = 1, ...own } = script;
  const calls: string[] = [];
  const session = async (state: RunState, lease: Parameters<typeof commitQueue>[1]['lease']): Promise<Worked> => {
    const workers: Workers = {
      perform: async ({ task }) => {
        calls.push(task.id);
        return { end: 'returned', outcome: outcomeOf('completed') };
      },
      recover: async () => undefined,
      open: async () => void calls.push('open'),
      reap: async () => void calls.push('reap'),
      idle: async () => void calls.push('idle'),
      ...own,
    };
    const commits = commitQueue(state, { lease, clock: systemClock });
    const ports = { ledger, commits, workers, start: { command: 'test' }, grace: 0, atCheckpoint, warn: holding.warn };
    const made = runSession(state, ports);
    before?.(made);
    const error = await made.start().then(
      () => undefined,
      (fault: unknown) => fault,
    );
    const kinds = [...ledger.read(state.created.run)].map(({ kind }) => kind);
    return { state, session: made, calls, kinds, error };
  };
  if (run !== undefined) return withLease(ledger, run, holding, (lease) => session(foldRun(ledger, run), lease));
  const spec = {
    events: (id: RunId) => planEvents({ run: id, file: '', hash: '', plan, settings: { ...settings, concurrency } }),
  };
  return beginRun(spec, { ...holding, ledger }, ({ state, lease }) => session(state, lease));
}

const begin = (script: Script = {}, ledger = newLedger()): Promise<Worked> => work(ledger, undefined, script);

/** A run that waits at its checkpoint. */
async function paused(): Promise<{ readonly ledger: Ledger; readonly run: RunId }> {
  const ledger = newLedger();
  const { state } = await begin({}, ledger);
  expect([state.status, state.needsAnswer]).toEqual(['paused', true]);
  return { ledger, run: state.created.run };
}

const nothing = async (): Promise<void> => undefined;

describe('a session', () => {
  it('opens, runs and closes: workers are opened first and awaited last', async () => {
    const { state, calls, kinds } = await begin({
      atCheckpoint: 'wait',
      before: (session) => session.answer('checkpoint-1', true),
    });
    expect(state.status).toBe('completed');
    expect(calls).toEqual(['open', '1.1', '2.1', 'idle']);
    expect([kinds.indexOf('run.started'), kinds.at(-1)]).toEqual([3, 'run.ended']);
  });

  it('starts once', async () => {
    const { session, state } = await begin();
    await expect(session.start()).rejects.toThrow('a session cannot go from closed to opening');
    expect(state.status).toBe('paused');
  });

  it('refuses a second start and continues the first', async () => {
    let session: RunSession | undefined;
    const { state, error } = await begin({
      before: (made) => (session = made),
      open: async () => expect(session?.start()).rejects.toThrow('a session cannot go from opening to opening'),
    });
    expect([state.status, error]).toEqual(['paused', undefined]);
  });

  it('ignores stops and answers once it is closed', async () => {
    const { session, calls, kinds, state } = await begin();
    session.stop('cancel');
    session.answer('checkpoint-1', true);
    expect([state.status, calls, kinds.at(-1)]).toEqual(['paused', ['open', '1.1', 'idle'], 'run.paused']);
  });
});

describe('a session that fails', () => {
  it('in opening rethrows the error, reaps, and has started nothing', async () => {
    const fault = new Error('no room');
    const causes: unknown[] = [];
    const { error, calls, kinds, session } = await begin({
      open: () => Promise.reject(fault),
      reap: async (cause) => void causes.push(cause),
    });
    expect([error, causes, calls]).toEqual([fault, [fault], []]);
    expect(kinds).not.toContain('run.started');
    await expect(session.start()).rejects.toThrow('a session cannot go from closed to opening');
  });

  it('in resuming records nothing of the check', async () => {
    const { ledger, run } = await paused();
    const before = ledger.run(run)?.head;
    const { error, calls } = await work(ledger, run, {
      resume: async (record) => {
        record({ kind: 'work.reopened', tasks: ['1.1'], why: 'gone' });
        throw new Error('git is gone');
      },
    });
    expect(error).toMatchObject({ message: 'git is gone' });
    expect([calls, ledger.run(run)?.head]).toEqual([['open', 'reap'], before]);
  });

  it('in running cancels the activities', async () => {
    const reasons: unknown[] = [];
    const { error, calls } = await begin({
      plan: planOf([[{ id: 'faulty' }, { id: 'slow' }]]),
      concurrency: 2,
      perform: async ({ task }, signal) => {
        if (task.id === 'faulty') throw new Error('a fault in Divisi');
        await once(signal, 'abort');
        reasons.push(signal.reason);
        return { end: 'cancelled', outcome: outcomeOf('partial') };
      },
    });
    expect(error).toEqual(new Error('a fault in Divisi'));
    expect([calls, reasons]).toEqual([['open', 'reap'], ['at-once']]);
  });
});

describe('before the loop', () => {
  it('a stop pauses the run and starts no task', async () => {
    const { state, calls } = await begin({ before: (session) => session.stop('pause') });
    expect([state.status, state.needsAnswer, calls]).toEqual(['paused', false, ['open', 'idle']]);
  });

  it('a stop interrupts resuming, and the run is paused again', async () => {
    const { ledger, run } = await paused();
    let session: RunSession | undefined;
    const { state, calls, error } = await work(ledger, run, {
      before: (made) => (session = made),
      resume: (_record, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve());
          session?.stop('pause');
        }),
    });
    expect([error, state.status, calls]).toEqual([undefined, 'paused', ['open', 'idle']]);
  });

  it('a cancel during resuming ends the run', async () => {
    const { ledger, run } = await paused();
    let session: RunSession | undefined;
    const { state, kinds } = await work(ledger, run, {
      before: (made) => (session = made),
      resume: async () => session?.stop('cancel'),
    });
    expect([state.status, kinds.at(-1)]).toEqual(['cancelled', 'run.ended']);
  });

  it.each(['wait', 'pause'] as const)('an answer counts, at checkpoints that %s', async (atCheckpoint) => {
    const { ledger, run } = await paused();
    const { state, calls } = await work(ledger, run, {
      atCheckpoint,
      resume: nothing,
      before: (session) => session.answer('checkpoint-1', true),
    });
    expect([state.status, calls]).toEqual(['completed', ['open', '2.1', 'idle']]);
  });

  it('an answer in the inbox counts, and its row is consumed', async () => {
    const { ledger, run } = await paused();
    ledger.tell(run, { kind: 'answer', checkpoint: 'checkpoint-1', approved: true });
    const { state } = await work(ledger, run, { resume: nothing });
    expect([state.status, ledger.inbox(run).rows]).toEqual(['completed', []]);
  });
});

describe('a completed run', () => {
  it('that stays completed is closed without being started, and its inbox is emptied', async () => {
    const { ledger, run } = await paused();
    const answer = { kind: 'answer', checkpoint: 'checkpoint-1', approved: true } as const;
    await work(ledger, run, {
      atCheckpoint: 'wait',
      resume: nothing,
      before: (made) => made.answer('checkpoint-1', true),
    });
    const before = ledger.run(run)?.head;
    ledger.tell(run, answer);
    const { state, calls } = await work(ledger, run, { resume: nothing });
    expect([state.status, calls, ledger.run(run)?.head]).toEqual(['completed', ['open', 'idle'], before]);
    expect(ledger.inbox(run).rows).toEqual([]);
  });

  it('whose work is reopened is started again', async () => {
    const { ledger, run } = await paused();
    await work(ledger, run, {
      atCheckpoint: 'wait',
      resume: nothing,
      before: (made) => made.answer('checkpoint-1', true),
    });
    const { state, calls } = await work(ledger, run, {
      resume: async (record) => record({ kind: 'work.reopened', tasks: ['2.1'], why: 'gone' }),
    });
    expect([state.status, calls]).toEqual(['completed', ['open', '2.1', 'idle']]);
  });
});
