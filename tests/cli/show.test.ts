/** `divisi show`: the plan of a run, as the ledger has it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFiles } from '../support/project.ts';
import { shapeOf } from '../support/shape.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();

it('shows the plan even when its file is gone', async () => {
  const cwd = folder(
    projectFiles({
      waves: [['1.1 done', '1.2 after 1.1'], ['2.1']],
      more: '## Checkpoints\n- [ ] After wave 1: look at it',
    }),
  );
  expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(5);
  rmSync(join(cwd, 'plan.md'));
  const { code, stdout, stderr } = await divisi(['show'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^run_\w+ Sample: paused\nplan plan\.md\ngoal To see it run\.\n/);
  expect(stdout).toContain(
    '\nwave 1 Part 1 (completed)\n  [x] 1.1 Write the file of 1.1 (standard, worker)\n  [x] 1.2 ',
  );
  expect(stdout).toContain('\n      after: 1.1\n  review (deep)\n  checkpoint (open): look at it\n');
  expect(stdout).toMatch(
    /\nwave 2 Part 2 \(pending\)\n {2}\[ \] 2\.1 Write the file of 2\.1 \(standard, worker\)\n {2}review \(deep\)\n$/,
  );

  const shape = shapeOf(JSON.parse((await divisi(['show', '--json'], { cwd })).stdout));
  expect(shape).toMatchObject({
    run: 'string',
    status: 'string',
    plan: 'string',
    title: 'string',
    goal: 'string',
    checkpoints: [{ checkpoint: 'string', afterWave: 'number', why: 'string', status: 'string' }],
  });
});

it('reports a project without runs', async () => {
  const { code, stderr } = await divisi(['show'], { cwd: folder() });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^divisi: this project has no runs \[RUN_UNKNOWN\]\n/);
});
