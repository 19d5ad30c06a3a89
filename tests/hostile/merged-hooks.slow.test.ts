/** F3: work that brings git hooks. The merge into the checkout stops and asks, and runs none of them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { divisi } from '../support/divisi.ts';
import { git, gitProject } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

it.each([['merge'], ['merge', '--squash'], ['merge', '--no-ff']])('%s %s', async (...merge) => {
  const root = folder();
  const mark = join(root, 'mark');
  const hook = `#!/bin/sh\ntouch '${mark}'\n`;
  const paths = ['tools/hooks/post-merge', 'tools/hooks/pre-merge-commit', 'tools/hooks/reference-transaction'];
  const cwd = gitProject(root, {
    settings: ['Reviews: off'],
    waves: [[{ id: '1.1', scope: 'tools/hooks' }]],
    acts: {
      '1.1': {
        write: Object.fromEntries(paths.map((path) => [path, hook])),
        mode: Object.fromEntries(paths.map((path) => [path, 0o755])),
      },
    },
  });
  git(cwd, 'config', 'core.hooksPath', 'tools/hooks');
  await divisi(['run', 'plan.md'], { cwd });
  await divisi(['approve'], { cwd });
  await divisi(['resume'], { cwd });

  const asked = await divisi(merge, { cwd });
  expect(existsSync(mark)).toBe(false);
  expect([asked.code, asked.stdout + asked.stderr]).toEqual([
    2,
    expect.stringContaining('it changes what your git runs as hooks: tools/hooks/post-merge'),
  ]);
  expect(existsSync(join(cwd, 'tools'))).toBe(false);

  expect((await divisi([...merge, '--yes'], { cwd })).code).toBe(0);
  expect(existsSync(join(cwd, 'tools/hooks/post-merge'))).toBe(true);
  expect(existsSync(mark)).toBe(false);
});
