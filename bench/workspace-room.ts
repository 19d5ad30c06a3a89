/** Measures a room of a task against a bare worktree of the same tree. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beginWorkspace, ensureRunBranch } from '../src/workspace/git/room/begin-workspace.ts';
import { confineRoom } from '../src/workspace/confine/confine-room.ts';
import { openRoom } from '../src/workspace/git/room/open-room.ts';
import { removeRoom } from '../src/workspace/git/room/remove-room.ts';
import { findRepository } from '../src/workspace/git/repository.ts';
import { snapshotRoom } from '../src/workspace/git/room/snapshot-room.ts';
import { atMost, type Figures, type Print, recorded, rounded, sized } from './bench.ts';
import { median } from './measure.ts';
import { bareGit, gitEnvironment, makeRepository } from './workspace-repository.ts';

const files = sized(5000, 500);
const rounds = sized(25, 3);
const mostMinutes = 1;

const identity = { name: 'Bench', email: 'bench@localhost' };

/** Both sides on one repository and one disk, in turns. */
export async function measureRoom(print: Print, folder: string): Promise<Figures> {
  const environment = gitEnvironment(join(folder, 'home'));
  const project = join(folder, 'rooms');
  await makeRepository(project, environment, files);
  const repository = await findRepository(project, environment);
  const run = 'run_rooms';
  const {
    facts: { base, branch },
  } = await beginWorkspace(repository, { run, at: 0 });
  await ensureRunBranch(repository, { branch, base });
  mkdirSync(join(folder, 'worktrees'));

  async function ours(at: number): Promise<number> {
    const start = performance.now();
    const spec = { run, task: String(at), attempt: 1, branch, identity, link: [], copy: [] };
    const room = await openRoom(repository, spec);
    await confineRoom(repository, room.folder);
    await snapshotRoom(repository, { ...room, exclude: [], identity, at: 0, message: 'Room' });
    await removeRoom(repository, room);
    return performance.now() - start;
  }

  async function bare(at: number): Promise<number> {
    const start = performance.now();
    const place = join(folder, 'worktrees', String(at));
    await bareGit(project, environment, 'worktree', 'add', '--quiet', '--detach', place, base);
    await bareGit(project, environment, 'worktree', 'remove', place);
    return performance.now() - start;
  }

  const pairs: (readonly [ours: number, bare: number])[] = [];
  for (let at = 0, end = Date.now() + mostMinutes * 60_000; at < rounds && Date.now() < end; at += 1) {
    pairs.push([await ours(at), await bare(at)]);
  }
  const ratio = median(pairs.map(([one, other]) => one / other));
  const [time, bareTime] = [median(pairs.map(([one]) => one)), median(pairs.map(([, one]) => one))];
  print(
    '',
    `${pairs.length} rooms of ${files} files, with confinement, made, snapshotted and removed: ${rounded(time)} ms`,
    `  git worktree add and remove: ${rounded(bareTime)} ms; ratio ${rounded(ratio)} (median of neighbours)`,
  );
  return {
    'room with confinement made, snapshotted and removed, of git worktree add and remove': atMost(1.3, ratio, '×'),
    'rooms measured': recorded(pairs.length, 'rooms'),
  };
}
