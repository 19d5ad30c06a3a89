import { it } from 'vitest';
import { gitProject, gitIn } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { tutti } from '../support/tutti.ts';
const folder = temporaryFolders();
it('x', async () => {
  const cwd = gitProject(folder, { waves: [['1.1', '1.2 after 1.1'], ['2.1']], behave: { '2.1': 'fail' } });
  console.log(await tutti(['run', 'plan.md'], { cwd }));
  console.log(gitIn(cwd, 'status', '--short'), gitIn(cwd, 'log', '--all', '--oneline', '--graph'), gitIn(cwd, 'branch', '--all'));
  for (const line of ['diff', 'diff --stat', 'diff 1.2', 'diff 2.1', 'diff 2.1 --attempt 1', 'diff 1.1 --json', 'diff wave-1:review'])
  console.log(line, await tutti(line.split(' '), { cwd }));
}, 60000);
