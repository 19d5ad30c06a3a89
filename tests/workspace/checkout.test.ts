/** The files of a checkout while others write to it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { findRepository } from '../../src/workspace/git/repository.ts';
import { treeOfCheckout } from '../../src/workspace/git/snapshot-checkout.ts';
import { gitFolders } from './git-project.ts';

const { repository } = gitFolders();

/** As editors write: under another name first. */
const busy = `const { writeFileSync, renameSync, rmSync } = require('node:fs');
process.stdout.write('begun');
for (;;) for (let at = 0; at < 40; at += 1) {
  writeFileSync(at + '.tmp', '');
  renameSync(at + '.tmp', at + '.txt');
  rmSync(at + '.txt');
}`;

it('has what is new in it, whatever comes and goes beside it', async () => {
  const user = repository({ 'a.txt': '1' });
  user.write({ 'new.txt': 'x' });
  const found = await findRepository(user.folder, user.environment);
  const child = spawn(process.execPath, ['-e', busy], { cwd: user.folder, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    for (let round = 0; round < 20; round += 1) {
      const tree = await treeOfCheckout(found, []);
      expect(user.git('ls-tree', '--name-only', tree, 'new.txt')).toBe('new.txt');
    }
  } finally {
    child.kill('SIGKILL');
  }
}, 60_000);
