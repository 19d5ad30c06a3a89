/** The command of a clone: usable from any folder, whatever Node is on the PATH. */
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../support/repository.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

describe('tools/divisi', () => {
  it('works in another folder, by its path or through a link, and without the scripts of the clone on the PATH', () => {
    const cwd = folder({
      'plan.md':
        '# P\n## Settings\n- Command: true\n## Wave 1: W\n| ID | Task | Status |\n|--|--|--|\n| 1.1 | Do it | [ ] |\n',
    });
    const command = join(repository, 'tools/divisi');
    const link = join(cwd, 'divisi');
    symlinkSync(command, link);
    for (const path of [command, link]) {
      const env = { PATH: '/usr/bin:/bin', HOME: cwd };
      const { status, stdout } = spawnSync(path, ['run', 'plan.md', '--mode', 'plan'], { cwd, encoding: 'utf8', env });
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('1.1 Do it') });
    }
  });
});
