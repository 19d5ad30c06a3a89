/** The ledger between processes: killed, crowded, watched by readers. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { startChild } from './child.ts';
import { alive, aRun, created, dead, holder, registered } from './sample-events.ts';

const folder = temporaryFolders();
const appendLoop = new URL('./append-loop.ts', import.meta.url);
const holdRead = new URL('./hold-read.ts', import.meta.url);
const holdLock = new URL('./hold-lock.ts', import.meta.url);
const seqs = (events: Iterable<{ seq: number }>): number[] => [...events].map(({ seq }) => seq);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

describe('a process that is killed while it appends', () => {
  it.each([1, 7, 48])('loses nothing it acknowledged, in batches of %i', async (batch) => {
    const file = join(folder(), 'state/ledger.db');
    const run = aRun();
    for (let round = 0; round < 3; round += 1) {
      // It is found dead by the next one, because no one is asked: the lease of a killed process is simply there.
      const before = openLedger(file);
      before.take(run, holder(1), dead).release();
      before.close();
      const child = startChild(appendLoop, [file, run, String(batch)]);
      await child.has(5 + round * 17);
      child.process.kill('SIGKILL');
      await child.ended;

      const ledger = openLedger(file);
      const acknowledged = Number(child.lines.at(-1));
      const found = seqs(ledger.read(run));
      expect(acknowledged).toBeGreaterThan(0);
      expect(found.length).toBeGreaterThanOrEqual(acknowledged);
      expect(found).toEqual(upTo(found.length));
      expect((found.length - 1) % batch).toBe(0);
      expect(ledger.run(run)?.head).toBe(found.length);
      ledger.close();
    }
  });
});

describe('several processes', () => {
  it('append to runs of their own at the same time, from an empty folder', async () => {
    const file = join(folder(), 'state/ledger.db');
    const runs = Array.from({ length: 6 }, aRun);
    const children = runs.map((run) => startChild(appendLoop, [file, run, '3', '40']));
    await Promise.all(children.map(({ ended }) => ended));
    for (const child of children) expect(child.lines.at(-1)).toBe('121');
    const ledger = openLedger(file);
    for (const run of runs) expect(seqs(ledger.read(run))).toEqual(upTo(121));
    expect(ledger.runs()).toHaveLength(6);
    ledger.close();
  });

  it('wait for one another when the ledger is being made', async () => {
    const file = join(folder(), 'ledger.db');
    const child = startChild(holdLock, [file, '200']);
    await child.has(1);
    const ledger = openLedger(file);
    expect(ledger.runs()).toEqual([]);
    ledger.close();
    await child.ended;
  });

  it('never hold one run at the same time', async () => {
    const file = join(folder(), 'ledger.db');
    const run = aRun();
    const children = upTo(4).map(() => startChild(appendLoop, [file, run, '1', '300']));
    await Promise.all(children.map(({ ended }) => ended));
    const ledger = openLedger(file);
    const heads = children.flatMap(({ lines }) => lines.filter((line) => /^\d+$/.test(line)).map(Number));
    expect(new Set(heads).size).toBe(heads.length);
    expect(seqs(ledger.read(run))).toEqual(upTo(heads.length + 1));
    expect(
      children.flatMap(({ lines }) => lines).filter((line) => !/^\d+$/.test(line) && line !== 'LEASE_HELD'),
    ).toEqual([]);
    ledger.close();
  });
});

describe('a reader that never finishes', () => {
  it('does not hold up the writer, and sees one moment', async () => {
    const file = join(folder(), 'ledger.db');
    const run = aRun();
    const ledger = openLedger(file);
    const lease = ledger.take(run, holder(1), alive);
    lease.append([created(run)]);
    const child = startChild(holdRead, [file]);
    await child.has(1);
    const times = Array.from({ length: 500 }, (_, at) => {
      const begun = performance.now();
      lease.append([registered(at)]);
      return performance.now() - begun;
    });
    // An append that waits for the reader takes the five seconds of its patience.
    expect(times.filter((time) => time > 4000)).toEqual([]);
    const seen = child.lines.length;
    await child.has(seen + 2);
    expect(new Set(child.lines)).toEqual(new Set(['1']));
    child.process.kill('SIGKILL');
    await child.ended;
    expect(seqs(ledger.read(run))).toHaveLength(501);
    ledger.close();
  });

  it('is not held up by a writer in the middle of a transaction', () => {
    const file = join(folder(), 'ledger.db');
    const run = aRun();
    const ledger = openLedger(file);
    ledger.take(run, holder(1), alive).append([created(run)]);
    const writer = new DatabaseSync(file);
    writer.exec('begin immediate; delete from events');
    const reader = openLedger(file, { readOnly: true });
    const begun = performance.now();
    expect(seqs(reader.read(run))).toEqual([1]);
    expect(performance.now() - begun).toBeLessThan(4500);
    writer.exec('rollback');
    for (const one of [reader, writer, ledger]) one.close();
  });
});
