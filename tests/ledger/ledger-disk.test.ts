/**
 * Disks that refuse. They are mounted for the test, inside a mount namespace of a child process where possible, which takes
 * privileges that not every machine gives: then these tests are skipped, and say so.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { alive, aRun, created, holder, registered } from './sample-events.ts';

const folder = temporaryFolders();
const unshare = process.getuid?.() === 0 ? ['unshare', '-m'] : ['unshare', '-rm'];
const canMount =
  spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', folder()]).status === 0;
if (!canMount) console.warn('SKIPPED: full and read-only disks were NOT tested, because nothing can be mounted here');

/** Runs `on-disk.ts` in a folder that only this child sees as a disk of its own. */
function onDisk(script: string, ...args: string[]): string[] {
  const node = [process.execPath, fileURLToPath(new URL('on-disk.ts', import.meta.url)), ...args];
  const shell = ['sh', '-ec', `${script}; exec "$@"`, 'sh', ...node];
  const output = execFileSync(unshare[0] ?? '', [...unshare.slice(1), ...shell], { encoding: 'utf8' });
  return output.trim().split('\n');
}

describe.skipIf(!canMount)('a full disk', () => {
  it.each([1, 20])('is LEDGER_FULL, and nothing acknowledged is lost, in batches of %i', (batch) => {
    const disk = folder();
    const [code, retryable, acknowledged, found, gapless, afterwards] = onDisk(
      `mount -t tmpfs -o size=600k tmpfs ${disk}`,
      'fill',
      disk,
      String(batch),
    );
    expect([code, retryable]).toEqual(['LEDGER_FULL', 'true']);
    expect(Number(acknowledged)).toBeGreaterThan(20);
    expect(found).toBe(acknowledged);
    expect(gapless).toBe('true');
    expect(afterwards).toBe(String(Number(acknowledged) + batch));
  });

  it('has no room for a new ledger either', () => {
    const disk = folder();
    const [code] = onDisk(`mount -t tmpfs -o size=8k tmpfs ${disk}`, 'open', disk);
    expect(code).toBe('LEDGER_FULL');
  });
});

describe.skipIf(!canMount)('a read-only disk', () => {
  it('is LEDGER_UNWRITABLE for a writer, and can still be read', () => {
    const place = folder();
    const run = aRun();
    mkdirSync(join(place, 'disk'));
    const ledger = openLedger(join(place, 'ledger.db'));
    ledger.take(run, holder(1), alive).append([created(run), registered(1)]);
    ledger.close();
    copyFileSync(join(place, 'ledger.db'), join(place, 'disk', 'ledger.db'));
    const mounts = `mount --bind ${place}/disk ${place}/disk; mount -o remount,bind,ro ${place}/disk`;
    const [opened, read, fresh] = onDisk(mounts, 'read-only', join(place, 'disk'));
    expect(opened).toBe('LEDGER_UNWRITABLE');
    expect(read).toBe('2');
    expect(fresh).toBe('LEDGER_UNWRITABLE');
  });
});
