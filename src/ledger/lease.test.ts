import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alive, aRun, created, dead, holder, registered, settled } from '../../tests/ledger/sample-events.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { DivisiError } from '../base/error.ts';
import type { RunEvent } from '../core/event/event.ts';
import { openLedger } from './ledger.ts';

const folder = temporaryFolders();
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

describe('taking', () => {
  it('is refused while another process that is alive holds the run, and says who', () => {
    const ledger = openLedger(':memory:', { now: () => Date.UTC(2026, 0, 2, 3, 4, 5) });
    const run = aRun();
    ledger.take(run, holder(41, 'divisi run plan.md\u001b[2J'), alive);
    let refusal: unknown;
    try {
      ledger.take(run, holder(42), alive);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(DivisiError);
    expect(refusal).toMatchObject({ code: 'LEASE_HELD', retryable: true, ids: { run, pid: 41, host: 'here' } });
    const { message, next } = refusal as DivisiError;
    expect(message).toContain('process 41 on here (divisi run plan.md?[2J) since 2026-01-02T03:04:05.000Z');
    expect(next).toContain('divisi pause');
    ledger.close();
  });

  it('asks about the holder that is there', () => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    ledger.take(run, holder(41), alive);
    const asked: unknown[] = [];
    ledger.take(run, holder(42), (one) => asked.push(one) === 0);
    expect(asked).toEqual([holder(41)]);
    ledger.close();
  });

  it('succeeds when it was released, when the holder died, and for the holder itself; tokens only grow', () => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    const first = ledger.take(run, holder(1), alive);
    first.release();
    expect(ledger.holder(run)).toBeNull();
    const second = ledger.take(run, holder(2), alive);
    const third = ledger.take(run, holder(3), dead);
    const again = ledger.take(run, holder(3, 'another command'), alive);
    expect([first, second, third, again].map(({ token }) => token)).toEqual([1, 2, 3, 4]);
    ledger.close();
  });

  it('tells a process from one that has its number after it', () => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    ledger.take(run, holder(1), alive);
    for (const other of [{ started: 'later' }, { boot: 'next' }, { host: 'there' }]) {
      expect(() => ledger.take(run, { ...holder(1), ...other }, alive)).toThrow(code('LEASE_HELD'));
    }
    ledger.close();
  });
});

describe('a lease that was taken over', () => {
  it('writes nothing, consumes nothing and says who has it', () => {
    const file = join(folder(), 'ledger.db');
    const [one, other] = [openLedger(file), openLedger(file)];
    const run = aRun();
    const old = one.take(run, holder(1), alive);
    old.append([created(run)]);
    const id = one.tell(run, { kind: 'pause' });
    const now = other.take(run, holder(2), dead);
    expect(now.head).toBe(1);
    expect(() => old.append([settled('1.1')], [id])).toThrow(code('LEASE_LOST'));
    expect(() => old.append([], [id])).toThrow(/process 2 on here/);
    old.release();
    expect(other.holder(run)?.holder).toEqual(holder(2));
    expect([...other.read(run)]).toHaveLength(1);
    expect(other.inbox(run).rows).toHaveLength(1);
    expect(now.append([settled('1.1')], [id])).toBe(2);
    expect(old.head).toBe(1);
    one.close();
    other.close();
  });

  it('stays lost after the one that took it has released it', () => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    const old = ledger.take(run, holder(1), alive);
    ledger.take(run, holder(2), dead).release();
    expect(() => old.append([created(run)])).toThrow(code('LEASE_LOST'));
    ledger.close();
  });

  it('cannot be used after its own release', () => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    const lease = ledger.take(run, holder(1), alive);
    lease.release();
    lease.release();
    expect(() => lease.append([created(run)])).toThrow(code('LEASE_LOST'));
    ledger.close();
  });
});

describe('appending', () => {
  it('writes all of a batch or nothing', () => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    const lease = ledger.take(run, holder(1), alive);
    const wrong = { ...registered(1), attempt: 0 } as RunEvent;
    expect(() => lease.append([created(run), wrong])).toThrow(/^not an event: attempt: /);
    expect([lease.head, [...ledger.read(run)], ledger.runs()]).toEqual([0, [], []]);
    expect(lease.append([created(run), registered(1)])).toBe(2);
    expect(lease.append([])).toBe(2);
    ledger.close();
  });

  it.each<[string, object]>([
    ['a kind that is none', { kind: 'task.sung', version: 1, at: 1 }],
    ['another version', { ...settled('1.1'), version: 2 }],
    ['no time', { ...settled('1.1'), at: undefined }],
    ['a field too many', { ...settled('1.1'), mood: 'good' }],
    ['a field too few', { kind: 'task.settled', version: 1, at: 1, task: '1.1' }],
  ])('refuses %s', (_what, event) => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    const lease = ledger.take(run, holder(1), alive);
    lease.append([created(run)]);
    expect(() => lease.append([event as RunEvent])).toThrow(code('EVENT_INVALID'));
    expect(lease.head).toBe(1);
    ledger.close();
  });

  it('begins a run once, with its own beginning', () => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    const lease = ledger.take(run, holder(1), alive);
    expect(() => lease.append([settled('1.1')])).toThrow(code('EVENT_INVALID'));
    expect(() => lease.append([created(aRun())])).toThrow(code('EVENT_INVALID'));
    expect(() => lease.append([created(run), created(run)])).toThrow(code('EVENT_INVALID'));
    expect(ledger.runs()).toEqual([]);
    ledger.close();
  });

  it('takes only the rows it consumed, and only of its own run', () => {
    const ledger = openLedger(':memory:');
    const [run, other] = [aRun(), aRun()];
    const ids = [run, run, other].map((to) => ledger.tell(to, { kind: 'pause' }));
    const lease = ledger.take(run, holder(1), alive);
    lease.append([created(run)], [ids[0] ?? 0, ids[2] ?? 0]);
    expect(ledger.inbox(run).rows.map(({ id }) => id)).toEqual([ids[1]]);
    expect(ledger.inbox(other).rows).toHaveLength(1);
    ledger.close();
  });
});
