/** A long run in one process: 200 tasks in `test:long`, 2,000 in `test:soak`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/output.ts';
import { count } from '../properties/runs.ts';
import { commitsOf, git, put, roomsLeft, runBranchOf } from '../support/git-project.ts';
import { manyTasks, taskIds } from '../support/many-tasks.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const newFolder = temporaryFolders();
const tasks = count(20, 200) >= 400 ? 2000 : count(20, 200);

/** Writes the peak of the process's memory, in KiB. */
const probe = `process.on('exit', () => {
  require('node:fs').appendFileSync(process.env.PEAKS, process.resourceUsage().maxRSS + '\\n');
});
`;

it(`${tasks} tasks complete in one process, each merged once, and leave nothing`, { timeout: 3_600_000 }, async () => {
  const folder = newFolder();
  const project = manyTasks(folder, tasks);
  put(folder, { 'probe.cjs': probe });
  const variables = { NODE_OPTIONS: `--require=${join(folder, 'probe.cjs')}`, PEAKS: join(folder, 'peaks') };
  const ran = await divisi(['run', 'plan.md'], { cwd: project, variables });
  expect(ran).toMatchObject({ stderr: '', code: exitCodes.completed });
  const commits = commitsOf(project).map(({ task }) => task);
  expect(commits.toSorted()).toEqual(taskIds(tasks).toSorted());
  expect(roomsLeft(project)).toEqual([]);
  const branch = runBranchOf(project);
  expect(git(project, 'for-each-ref', '--format=%(refname)').split('\n')).toEqual([
    `refs/divisi/keep/${branch}`,
    `refs/heads/${branch}`,
    'refs/heads/main',
  ]);
  // The processes of other kinds that it starts are smaller.
  const peak = Math.max(...readFileSync(variables.PEAKS, 'utf8').trim().split('\n').map(Number));
  expect(peak / 1024).toBeLessThan(256 + tasks / 8);
});
