import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { alive, aRun, created, holder, registered } from '../../tests/ledger/sample-events.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { openLedger } from './ledger.ts';
import { watchLedger, type WatchTimes } from './watch-ledger.ts';

const folder = temporaryFolders();
let stop = new AbortController();
afterEach(() => stop.abort());

function watching(file: string, times?: WatchTimes): { count: () => number } {
  stop = new AbortController();
  let calls = 0;
  watchLedger(file, () => (calls += 1), stop.signal, times);
  return { count: () => calls };
}

describe('a process that watches', () => {
  it.each([
    [
      'stays until the signal, and ends after it',
      'setTimeout(() => { console.log("aborted"); stop.abort() }, 300)',
      'aborted\n',
    ],
    ['may end the watch when it is told', 'ledger.tell(run, { kind: "pause" })', 'changed\n'],
  ])('%s', async (_what, then, said) => {
    const file = join(folder(), 'ledger.db');
    const url = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
    const script = `
      import { openLedger } from ${url('ledger.ts')};
      import { watchLedger } from ${url('watch-ledger.ts')};
      const ledger = openLedger(${JSON.stringify(file)});
      const run = ${JSON.stringify(aRun())};
      const stop = new AbortController();
      watchLedger(ledger.file, () => { console.log('changed'); stop.abort() }, stop.signal);
      ${then}`;
    const child = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { timeout: 10_000 });
    expect((await child).stdout).toBe(said);
  });
});

describe('watching', () => {
  it('tells of an append at once, long before the poll', async () => {
    const file = join(folder(), 'ledger.db');
    const ledger = openLedger(file);
    const run = aRun();
    const lease = ledger.take(run, holder(1), alive);
    const calls = watching(file, { poll: 60_000 });
    lease.append([created(run)]);
    await vi.waitFor(() => expect(calls.count()).toBeGreaterThan(0), { timeout: 30_000, interval: 5 });
    ledger.close();
  });

  it('tells of what the file system did not report', async () => {
    const file = join(folder(), 'not/yet/there/ledger.db');
    // Its folder is not there when the watch begins, so that only the poll can notice.
    const calls = watching(file, { poll: 50 });
    const ledger = openLedger(file);
    await vi.waitFor(() => expect(calls.count()).toBeGreaterThan(0), { timeout: 30_000, interval: 5 });
    ledger.close();
  });

  it('says nothing while nothing changes, though readers come and go', async () => {
    const file = join(folder(), 'ledger.db');
    const ledger = openLedger(file);
    const calls = watching(file, { poll: 10, settle: 1 });
    for (let at = 0; at < 5; at += 1) {
      const reader = openLedger(file, { readOnly: true });
      reader.runs();
      reader.close();
      await sleep(20);
    }
    expect(calls.count()).toBe(0);
    ledger.close();
  });

  it('misses none of many: after the last change there is a call', async () => {
    const file = join(folder(), 'ledger.db');
    const ledger = openLedger(file);
    const reader = openLedger(file, { readOnly: true });
    const run = aRun();
    const lease = ledger.take(run, holder(1), alive);
    lease.append([created(run)]);
    let seen = 0;
    stop = new AbortController();
    watchLedger(file, () => (seen = reader.run(run)?.head ?? 0), stop.signal, { poll: 200 });
    for (let at = 0; at < 50; at += 1) {
      lease.append([registered(at)]);
      await sleep(at % 7);
    }
    await vi.waitFor(() => expect(seen).toBe(51), { timeout: 30_000, interval: 5 });
    for (const one of [reader, ledger]) one.close();
  });

  it('notices another file of the same name', async () => {
    const file = join(folder(), 'ledger.db');
    openLedger(file).close();
    const calls = watching(file, { poll: 20 });
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    await vi.waitFor(() => expect(calls.count()).toBe(1), { timeout: 30_000, interval: 5 });
    openLedger(file).close();
    await vi.waitFor(() => expect(calls.count()).toBe(2), { timeout: 30_000, interval: 5 });
  });

  it('ends with its signal', async () => {
    const file = join(folder(), 'ledger.db');
    const ledger = openLedger(file);
    const run = aRun();
    const lease = ledger.take(run, holder(1), alive);
    const calls = watching(file, { poll: 5, settle: 1 });
    stop.abort();
    lease.append([created(run)]);
    await sleep(60);
    expect(calls.count()).toBe(0);
    watchLedger(file, () => expect.unreachable(), AbortSignal.abort(), { poll: 5 });
    ledger.close();
  });
});
