/** The lock between processes: one at a time, also when the one before was killed. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withFileLock } from '../../src/ledger/file-lock.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { startChild } from './child.ts';

const folder = temporaryFolders();
const hold = new URL('./hold-file-lock.ts', import.meta.url);

it('lets one in at a time, in the order they came', async () => {
  const file = join(folder(), 'a.lock');
  const seen: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    seen.push(`${name} in`);
    await sleep(5);
    seen.push(`${name} out`);
    return name;
  };
  expect(await Promise.all(['a', 'b', 'c'].map((name) => withFileLock(file, work(name))))).toEqual(['a', 'b', 'c']);
  expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  expect(readdirSync(join(file, '..'))).toEqual(['a.lock']);
});

it('continues to the next when work fails', async () => {
  const file = join(folder(), 'a.lock');
  const failed = withFileLock(file, () => Promise.reject(new Error('broken')));
  const next = withFileLock(file, async () => 'next');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('next');
});

it('waits for another process, and not longer than its patience', async () => {
  const file = join(folder(), 'a.lock');
  const child = startChild(hold, [file, '600']);
  await child.has(1);
  await expect(withFileLock(file, async () => 'in', { patience: 50 })).rejects.toMatchObject({
    code: 'REPOSITORY_LOCKED',
    retryable: true,
  });
  expect(await withFileLock(file, async () => 'in')).toBe('in');
  await child.ended;
});

it('is free when its holder is killed', async () => {
  const file = join(folder(), 'a.lock');
  const child = startChild(hold, [file, '60000']);
  await child.has(1);
  const waiting = withFileLock(file, async () => 'in', { patience: 10_000 });
  child.process.kill('SIGKILL');
  expect(await waiting).toBe('in');
  await child.ended;
});

it('stops waiting when it is told to', async () => {
  const file = join(folder(), 'a.lock');
  const child = startChild(hold, [file, '60000']);
  await child.has(1);
  const stop = new AbortController();
  const waiting = withFileLock(file, async () => 'in', { signal: stop.signal });
  setTimeout(() => stop.abort(), 20);
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  child.process.kill('SIGKILL');
  await child.ended;
});

it('says so where the file cannot be made', async () => {
  await expect(withFileLock(join(folder(), 'no/where.lock'), async () => 'in')).rejects.toMatchObject({
    code: 'REPOSITORY_LOCKED',
    message: expect.stringContaining('cannot be used') as string,
  });
});
