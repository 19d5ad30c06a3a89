import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aRun, created } from '../../tests/ledger/sample-events.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { openLedger } from '../ledger/ledger.ts';
import { isAlive, ownIdentity } from '../process/identity.ts';
import { stateFolder } from '../workspace/places.ts';
import { makeStateFolder } from '../workspace/state-folder.ts';
import { adoptState } from './adopt-state.ts';
import { findRun } from './find-run.ts';
import { readLedger } from './project-ledger.ts';

const folder = temporaryFolders();

/** A project in a folder of this name, with runs that no process holds, or that this one does. */
function project({ name = 'app', runs = 0, isHeld = false } = {}): string {
  const path = join(folder(), name);
  mkdirSync(join(path, '.divisi'), { recursive: true });
  if (runs === 0) return path;
  const ledger = openLedger(join(makeStateFolder(path), 'ledger.db'));
  for (let made = 0; made < runs; made += 1) {
    const run = aRun();
    const lease = ledger.take(run, ownIdentity('a test'), isAlive);
    lease.append([created(run)]);
    if (!isHeld) lease.release();
  }
  ledger.close();
  return path;
}

function moved(from: string, to = join(folder(), 'app')): string {
  renameSync(from, to);
  return to;
}

function runsOf(path: string): number {
  const ledger = readLedger(path);
  try {
    return ledger.runs().length;
  } finally {
    ledger.close();
  }
}

function refusedRun(path: string): unknown {
  const ledger = readLedger(path);
  try {
    return findRun(ledger, undefined);
  } catch (error) {
    return error;
  } finally {
    ledger.close();
  }
}

describe('a project that was moved', () => {
  it('is named where no run is found, and its state becomes that of the new place', () => {
    const old = project({ runs: 3 });
    const before = stateFolder(old);
    mkdirSync(join(before, 'homes/claude'), { recursive: true });
    const here = moved(old);
    expect(refusedRun(here)).toMatchObject({
      code: 'RUN_UNKNOWN',
      message: `no runs here; ${old} had 3: \`divisi adopt ${old}\``,
    });
    expect(adoptState(here, old)).toEqual({ from: old, runs: 3 });
    expect(runsOf(here)).toBe(3);
    expect(readFileSync(join(stateFolder(here), 'path'), 'utf8')).toBe(`${here}\n`);
    expect(existsSync(join(stateFolder(here), 'homes/claude'))).toBe(true);
    expect(existsSync(before)).toBe(false);
  });

  it('replaces state without runs', () => {
    const old = project({ runs: 1 });
    const here = moved(old);
    writeFileSync(join(makeStateFolder(here), 'note'), '');
    adoptState(here, old);
    expect(runsOf(here)).toBe(1);
    expect(existsSync(join(stateFolder(here), 'note'))).toBe(false);
  });

  it('is known by a path through a symlink, and by a symlink that leads here', () => {
    const old = project({ runs: 1 });
    const link = join(folder(), 'link');
    symlinkSync(dirname(old), link);
    const here = moved(old);
    symlinkSync(here, old);
    expect(adoptState(here, join(link, 'app'))).toEqual({ from: old, runs: 1 });
  });

  it.each([
    ['of another name', { name: 'other', runs: 1 }],
    ['without runs', { name: 'app', runs: 0 }],
  ])('is not named where it is one %s', (_, sample) => {
    const old = project(sample);
    makeStateFolder(old);
    const here = moved(old);
    expect(String(refusedRun(here))).not.toContain(old);
  });

  it('is not named while it exists, nor where its ledger cannot be read', () => {
    const old = project({ runs: 1 });
    const here = project();
    expect(String(refusedRun(here))).not.toContain(old);
    const broken = project();
    writeFileSync(join(makeStateFolder(broken), 'ledger.db'), 'not a ledger');
    const other = moved(broken);
    expect(refusedRun(other)).toMatchObject({ code: 'RUN_UNKNOWN' });
    expect(String(refusedRun(other))).not.toContain(broken);
  });
});

describe('state is not adopted', () => {
  const refused = (message: string): Error =>
    expect.objectContaining({ code: 'ADOPT_REFUSED', message: expect.stringContaining(message) as string });

  it('from a project that still exists', () => {
    const [old, here] = [project({ runs: 1 }), project()];
    expect(() => adoptState(here, old)).toThrow(refused('still exists'));
    expect([runsOf(old), runsOf(here)]).toEqual([1, 0]);
  });

  it('where this project has runs of its own', () => {
    const old = project({ runs: 1 });
    const here = project({ runs: 2 });
    moved(old);
    expect(() => adoptState(here, old)).toThrow(refused('runs of its own'));
    expect(runsOf(here)).toBe(2);
  });

  it('where this project has a trial, which is in no ledger', () => {
    const old = project({ runs: 1 });
    const here = moved(old);
    mkdirSync(join(makeStateFolder(here), 'runs/run_x/returns'), { recursive: true });
    expect(() => adoptState(here, old)).toThrow(refused('runs of its own'));
  });

  it('from a project with a run in progress', () => {
    const old = project({ runs: 1, isHeld: true });
    const before = stateFolder(old);
    const here = moved(old);
    expect(() => adoptState(here, old)).toThrow(refused('is in progress'));
    expect(existsSync(before)).toBe(true);
  });

  it('from a folder that was never a project, nor from itself', () => {
    const here = project({ runs: 1 });
    expect(() => adoptState(here, join(folder(), 'app'))).toThrow(refused('knows no project'));
    expect(() => adoptState(here, here)).toThrow(refused('is this project'));
    expect(runsOf(here)).toBe(1);
  });
});
