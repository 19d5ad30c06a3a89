/** F23: work that is too large is rejected before git reads it, and every git call ends. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { git as ask, longestCall } from '../../src/workspace/git/git.ts';
import { divisiTo, git, gitProject, merged, verificationsOf } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
afterEach(() => void vi.useRealTimers());

const factsOf = (cwd: string, task: string): string[] =>
  verificationsOf(cwd, task).map(({ findings }) => findings.map(({ kind, fact }) => `${kind}: ${fact}`).join());

describe.concurrent('work that is too large', { timeout: 120_000 }, () => {
  it('is rejected: a file of holes, and a real one', async () => {
    const cwd = gitProject(folder(), {
      settings: ['Reviews: off'],
      waves: [['1.1', '1.2']],
      acts: {
        '1.1': [{ run: [['truncate', '-s', '3G', 'holes.bin']], write: { 'a.txt': 'a' } }, { write: { 'a.txt': 'a' } }],
        '1.2': [
          { run: [['truncate', '-s', '101M', 'real.bin']], write: { 'b.txt': 'b' } },
          { write: { 'b.txt': 'b' } },
        ],
      },
    });
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(factsOf(cwd, '1.1')).toEqual([
      'files-refused: its files cannot be added: holes.bin has 3072 MiB, more than 100 MiB (workspace.size.file)',
      '',
    ]);
    expect(factsOf(cwd, '1.2')[0]).toContain('real.bin has 101 MiB');
    expect(merged(cwd, 'a.txt')).toBe('a');
    // Nothing of it was written into the repository.
    expect(Number(/size-garbage|size: (\d+)/.exec(git(cwd, 'count-objects', '-v'))?.[1])).toBeLessThan(1024);
  });

  it('is judged by what the config says, in all', async () => {
    const cwd = gitProject(folder(), {
      settings: ['Reviews: off'],
      config: 'grace: 1\nworkspace: { size: { file: 0, change: 1 MiB } }\n',
      acts: {
        '1.1': [
          {
            run: [
              ['truncate', '-s', '700K', 'a.bin'],
              ['truncate', '-s', '700K', 'b.bin'],
            ],
          },
          { run: [['truncate', '-s', '700K', 'a.bin']] },
        ],
      },
    });
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(factsOf(cwd, '1.1')[0]).toContain('the changed files have 1 MiB, more than 1 MiB (workspace.size.change)');
  });
});

it('a git that does not answer is ended', async () => {
  const bin = folder();
  writeFileSync(join(bin, 'git'), '#!/bin/sh\nsleep 1000\n');
  chmodSync(join(bin, 'git'), 0o755);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked = ask({ environment: { PATH: `${bin}:/usr/bin:/bin` }, directory: bin }, ['add', '-A']).catch(String);
  const waits = vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  await waits;
  vi.advanceTimersByTime(longestCall * 1000);
  expect(await asked).toContain(`no answer within ${longestCall} s`);
});
