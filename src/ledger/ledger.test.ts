import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alive, aRun, created, holder, registered, settled } from '../../tests/ledger/sample-events.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { openLedger } from './ledger.ts';

const folder = temporaryFolders();

describe('opening', () => {
  it('makes the folder and the file', () => {
    const file = join(folder(), 'project/.divisi/ledger.db');
    const ledger = openLedger(file);
    expect(existsSync(file)).toBe(true);
    expect(ledger.runs()).toEqual([]);
    ledger.close();
  });

  it('keeps everything in memory when asked to', () => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    ledger.take(run, holder(1), alive).append([created(run)]);
    expect([...ledger.read(run)]).toEqual([{ seq: 1, ...created(run) }]);
    expect(existsSync(':memory:')).toBe(false);
    ledger.close();
  });

  it('refuses a file where a folder is needed', () => {
    const place = folder({ state: 'a file' });
    expect(() => openLedger(join(place, 'state/ledger.db'))).toThrow(
      expect.objectContaining({ code: 'LEDGER_UNWRITABLE', retryable: true }),
    );
  });

  it('refuses a folder where the file should be', () => {
    expect(() => openLedger(folder())).toThrow(expect.objectContaining({ code: 'LEDGER_UNWRITABLE' }));
  });
});

describe('only reading', () => {
  it('makes nothing, and finds nothing where nothing is', () => {
    const place = folder();
    const reader = openLedger(join(place, 'state/ledger.db'), { readOnly: true });
    const run = aRun();
    expect(reader.runs()).toEqual([]);
    expect(reader.run('run_0')).toBeNull();
    expect([...reader.read(run)]).toEqual([]);
    expect(reader.holder(run)).toBeNull();
    expect(reader.inbox(run)).toEqual({ rows: [], unreadable: [] });
    expect(reader.snapshot(run, 1)).toBeNull();
    reader.close();
    expect(readdirSync(place)).toEqual([]);
  });

  it('sees a ledger that is made later, and each append to it', () => {
    const file = join(folder(), 'state/ledger.db');
    const reader = openLedger(file, { readOnly: true });
    const run = aRun();
    expect(reader.runs()).toEqual([]);
    const ledger = openLedger(file);
    const lease = ledger.take(run, holder(7), alive);
    lease.append([created(run)]);
    expect(reader.runs().map(({ head }) => head)).toEqual([1]);
    lease.append([settled('1.1')]);
    expect([...reader.read(run, 1)]).toEqual([{ seq: 2, ...settled('1.1') }]);
    expect(reader.holder(run)?.holder.pid).toBe(7);
    reader.close();
    ledger.close();
  });

  it('cannot write', () => {
    const file = join(folder(), 'ledger.db');
    openLedger(file).close();
    expect(Object.keys(openLedger(file, { readOnly: true }))).not.toContain('take');
  });
});

describe('reading', () => {
  it.each([255, 256, 257, 512, 1000])('gives all of %i events, once each', (count) => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    const events = [created(run), ...Array.from({ length: count - 1 }, (_, at) => registered(at))];
    ledger.take(run, holder(1), alive).append(events);
    expect([...ledger.read(run)]).toEqual(events.map((event, at) => ({ seq: at + 1, ...event })));
    expect([...ledger.read(run, count - 1)]).toHaveLength(1);
    expect([...ledger.read(run, count)]).toEqual([]);
    expect([...ledger.read(aRun())]).toEqual([]);
    ledger.close();
  });

  it('includes what is appended meanwhile', () => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    const lease = ledger.take(run, holder(1), alive);
    lease.append([created(run), ...Array.from({ length: 299 }, (_, at) => registered(at))]);
    let seen = 0;
    for (const { seq } of ledger.read(run)) {
      seen = seq;
      if (seq === 10) lease.append([settled('1.1')]);
    }
    expect(seen).toBe(301);
    ledger.close();
  });
});

describe('the list of runs', () => {
  it('has the newest first', () => {
    const ledger = openLedger(':memory:');
    const ids = [3, 1, 2].map((minute) => {
      const run = aRun();
      ledger.take(run, holder(1), alive).append([{ ...created(run, `plan ${minute}`), at: minute }]);
      return run;
    });
    expect(ledger.runs().map(({ run }) => run)).toEqual([ids[0], ids[2], ids[1]]);
    expect(ledger.runs()[0]).toEqual({
      run: ids[0],
      created: 3,
      head: 1,
      title: 'plan 3',
      planFile: '.divisi/plans/a-inprogress.md',
      status: 'planning',
      changed: 3,
      kind: 'plan',
      task: null,
    });
    ledger.close();
  });

  it('finds a run by a beginning of its id', () => {
    const ledger = openLedger(':memory:');
    const one = aRun();
    const other = `run_7${aRun().slice(5)}` as typeof one;
    for (const run of [one, other]) ledger.take(run, holder(1), alive).append([created(run)]);
    for (const name of [other, 'run_7', '7', 'RUN_7', other.slice(4).toLowerCase()]) {
      expect(ledger.run(name)?.run).toBe(other);
    }
    expect(ledger.run('run_6')).toBeNull();
    expect(ledger.run(`${other}0`)).toBeNull();
    expect(ledger.run('%')).toBeNull();
    expect(() => ledger.run('run_')).toThrow(expect.objectContaining({ code: 'RUN_UNKNOWN' }));
    ledger.close();
  });
});

/** The least that a snapshot says, with a number to tell it by. */
const sound = (number: number): string =>
  JSON.stringify({ plain: { workspaces: [], updates: [], head: null }, tasks: [], gateTasks: [], number });

describe('a snapshot', () => {
  it('is for one version of the core, and never goes back', () => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    ledger.take(run, holder(1), alive).append([created(run), settled('1.1'), settled('1.2')]);
    expect(ledger.snapshot(run, 1)).toBeNull();
    ledger.saveSnapshot(run, 2, 1, sound(2));
    ledger.saveSnapshot(run, 1, 1, sound(1));
    expect(ledger.snapshot(run, 1)).toEqual({ seq: 2, body: sound(2) });
    expect(ledger.snapshot(run, 2)).toBeNull();
    ledger.saveSnapshot(run, 1, 2, sound(1));
    expect(ledger.snapshot(run, 2)).toEqual({ seq: 1, body: sound(1) });
    ledger.close();
  });

  it('that is ahead of the events is passed over', () => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    ledger.take(run, holder(1), alive).append([created(run)]);
    ledger.saveSnapshot(run, 2, 1, sound(2));
    expect(ledger.snapshot(run, 1)).toBeNull();
    ledger.close();
  });

  it.each(['{}', 'no JSON', sound(1).replace('null', '"--output=x"')])(
    'that Divisi did not write is passed over: %s',
    (body) => {
      const ledger = openLedger(':memory:');
      const run = aRun();
      ledger.take(run, holder(1), alive).append([created(run)]);
      ledger.saveSnapshot(run, 1, 1, body);
      expect(ledger.snapshot(run, 1)).toBeNull();
      ledger.close();
    },
  );
});
