/** A run whose git fails now and then, as it does while other programs change the repository. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/output.ts';
import { commitsOf, git, roomsLeft } from '../support/git-project.ts';
import { listeningGit, manyTasks, taskIds } from '../support/many-tasks.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const newFolder = temporaryFolders();

/** Every command that only looks, as Divisi uses it. */
const looks =
  'cat-file|check-ignore|config|diff-index|diff-tree|for-each-ref|log|ls-files|ls-tree|merge-base|merge-tree|rev-list|rev-parse|show-ref|status|symbolic-ref|worktree|write-tree';

it('completes although every tenth look fails', { timeout: 300_000 }, async () => {
  const folder = newFolder();
  const project = manyTasks(folder, 100);
  const failures = join(folder, 'failures');
  const { path, calls } = listeningGit(
    folder,
    `looks() { for word in "$@"; do case $word in ${looks}) return 0;; esac; done; return 1; }
if [ $((count % 10)) = 0 ] && looks "$@"; then
  echo "$*" >> '${failures}'; echo 'fatal: failed to read .git/worktrees/x/commondir: Success' >&2; exit 128
fi`,
  );
  const ran = await divisi(['run', 'plan.md'], { cwd: project, variables: { PATH: path } });
  expect(ran).toMatchObject({ stderr: '', code: exitCodes.completed });
  expect(readFileSync(failures, 'utf8').split('\n').length).toBeGreaterThan(20);
  expect(calls().length).toBeGreaterThan(500);
  expect(
    commitsOf(project)
      .map(({ task }) => task)
      .toSorted(),
  ).toEqual(taskIds(100).toSorted());
  expect(roomsLeft(project)).toEqual([]);
  expect(git(project, 'for-each-ref', '--format=%(refname)', 'refs/heads/divisi-task')).toBe('');
});
