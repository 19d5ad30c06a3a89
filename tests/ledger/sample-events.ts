/** Events and holders for the tests of the ledger. */
import { type DelegationId, newRunId, type RunId } from '../../src/base/ids.ts';
import type { EventOf, RunEvent } from '../../src/core/event/event.ts';
import type { Holder } from '../../src/ledger/holder.ts';

export const aRun = (): RunId => newRunId(new Date(), Math.random);

export function created(run: RunId, title = 'A plan'): EventOf<'run.created'> {
  return {
    kind: 'run.created',
    version: 1,
    at: 1_800_000_000_000,
    run,
    core: 1,
    plan: { file: '.divisi/plans/a-inprogress.md', hash: 'abc', title, goal: 'A goal' },
    settings: { concurrency: 4, driver: 'command', deadlines: {}, mode: 'default', budgets: {}, gated: true },
    waves: 1,
    checkpoints: [],
  };
}

/** About 250 bytes, one different from the next. */
export function registered(number: number): RunEvent {
  return {
    kind: 'delegation.registered',
    version: 1,
    at: 1_800_000_000_000 + number,
    delegation: 'sess_1800000000_abc123' as DelegationId,
    task: `1.${number}`,
    attempt: 1,
    agent: 'implementer',
    tier: 'standard',
    class: 'implementing',
    path: ['orchestrator', 'implementer'],
    deadline: 1_800_000_600_000,
  };
}

export const settled = (task: string): RunEvent => ({
  kind: 'task.settled',
  version: 1,
  at: 1_800_000_000_000,
  task,
  status: 'completed',
});

export const holder = (pid: number, command = 'divisi run'): Holder => ({
  pid,
  host: 'here',
  boot: 'boot',
  started: `${pid}00`,
  command,
});

export const alive = (): boolean => true;
export const dead = (): boolean => false;
