/** After the process of a run has died, the next one finds what is still useful, and nothing else. */
import { expect, it } from 'vitest';
import type { TaskState } from '../../src/core/state/task-state.ts';
import { runWorkspace } from '../../src/run-work/run-workspace.ts';
import { openRoom } from '../../src/workspace/git/room/open-room.ts';
import { listRooms } from '../../src/workspace/git/room/remove-room.ts';
import { refusal, startedRunOf, verify, workspaceFacts } from '../support/settling.ts';
import { advance, end } from '../support/state-of.ts';
import { gitFolders, identity, workspaceOn } from './git-project.ts';

const { repository: newRepository } = gitFolders();

it('keeps the rooms of tasks that are not done', async () => {
  const user = newRepository();
  const { repository, base, branch } = await workspaceOn(user);
  const facts = { ...workspaceFacts, base, branch };
  const state = startedRunOf([[{ id: '1.1' }, { id: '1.2' }]], { workspace: facts });
  const { run } = state.created;
  const open = async (task: string, attempt: number): Promise<void> => {
    const {
      directory: _,
      isWarm: __,
      ...opened
    } = await openRoom(repository, {
      run,
      task,
      attempt,
      branch,
      identity,
      link: [],
      copy: [],
    });
    Object.assign((state.tasks.get(task) as TaskState).attempt ?? {}, { room: opened });
  };
  await open('1.1', 1);
  end(state, '1.1', 'completed');
  verify(state, '1.1', refusal('docs/a.md'));
  await open('1.2', 1);
  await open('1.2', 2);
  // The second attempt at 1.1 is on record and has no folder yet.
  advance(state, { opensFolders: false });
  state.tasks.get('1.2')!.attempts = 2;

  const deps = { project: user.folder, repository, environment: user.environment, warn: () => undefined };
  state.workspaces = [facts];
  await runWorkspace(state, deps).prepare();
  expect((await listRooms(repository)).map(({ name }) => name).toSorted()).toEqual(['1.1', '1.2']);
});
