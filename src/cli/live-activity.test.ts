import { execFileSync } from 'node:child_process';
import { symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { lastActivity } from './live-activity.ts';

const folder = temporaryFolders();

it.each([
  ['one\ntwo\n', 'two'],
  ['one\r\ntwo\r\n\r\n   \n', 'two'],
  ['half a li', 'half a li'],
  [`${'x'.repeat(1000)}\n${'y'.repeat(50)}\n`, 'y'.repeat(50)],
  ['z'.repeat(1000), 'z'.repeat(400)],
])('of %j, the last line is %s', async (content, line) => {
  const file = join(folder({ output: content }), 'output');
  utimesSync(file, 1000, 1000);
  expect(await lastActivity(file)).toEqual({ at: 1_000_000, line });
});

it('knows nothing of a file that is missing, empty, a link or a pipe', async () => {
  const at = folder({ real: 'words', empty: '' });
  symlinkSync(join(at, 'real'), join(at, 'link'));
  execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: at });
  const found = await Promise.all(['missing', 'empty', 'link', 'pipe'].map((name) => lastActivity(join(at, name))));
  expect(found).toEqual([undefined, undefined, undefined, undefined]);
});
