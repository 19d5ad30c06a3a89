/** What the user's repository says about files holds in its rooms; what it says about programs does not. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitFolders, gitIn, workspaceOn } from './git-project.ts';

const { repository } = gitFolders();

it('a file that is written again as it was is unchanged for the agent’s git, too', async () => {
  const user = repository({ 'a.txt': 'one\ntwo\n' });
  user.git('config', 'core.autocrlf', 'true');
  user.git('config', 'core.filemode', 'false');
  const work = await workspaceOn(user);
  const room = await work.open('1');
  const file = join(room.directory, 'a.txt');
  const text = readFileSync(file, 'utf8');
  expect(text).toBe('one\r\ntwo\r\n');
  writeFileSync(`${file}.new`, text, { mode: 0o755 });
  renameSync(`${file}.new`, file);
  expect(gitIn(room.directory, user.environment, ['status', '--porcelain'])).toBe('');
  expect((await work.snapshot(room)).changes).toEqual([]);
});

it('no setting that starts a program, and no value that is not a word, is carried over', async () => {
  const user = repository({ 'a.txt': 'one\n' });
  user.git('config', 'core.fsmonitor', '/bin/evil');
  user.git('config', 'core.sshCommand', 'evil');
  user.git('config', 'filter.x.clean', 'evil');
  user.git('config', 'core.eol', 'lf\n[core]\nfsmonitor = evil');
  user.git('config', 'core.symlinks', 'false');
  const { directory } = await (await workspaceOn(user)).open('1');
  const config = readFileSync(join(directory, '.git/config'), 'utf8');
  expect(config).toContain('\tsymlinks = false\n');
  expect(config).not.toMatch(/evil|fsmonitor|eol/);
});
