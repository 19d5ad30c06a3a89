/** Several processes on one repository, and one that is killed in the middle. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { listRooms, removeRefs, removeRoom } from '../../src/workspace/git/room/remove-room.ts';
import { gitFolders, run, treeOf, workspaceOn } from './git-project.ts';

const { repository } = gitFolders();
const openMany = fileURLToPath(new URL('./open-many.ts', import.meta.url));

interface Started {
  readonly output: () => string;
  readonly ended: Promise<unknown>;
  kill(): void;
}

function start(project: string, base: string, environment: NodeJS.ProcessEnv, name: string, count: number): Started {
  const child = spawn(process.execPath, [openMany, project, run, name, String(count)], {
    env: { ...environment, TEST_BASE: base },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return { output: () => output, ended: once(child, 'close'), kill: () => void child.kill('SIGKILL') };
}

it('32 rooms at once, from 4 processes, each merged once', { timeout: 120_000 }, async () => {
  const user = repository(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`src/f${at}.txt`, `${at}\n`])));
  const work = await workspaceOn(user);
  const names = ['a', 'b', 'c', 'd'];
  const children = names.map((name) => start(user.folder, work.base, user.environment, name, 8));
  await Promise.all(children.map(({ ended }) => ended));
  const said = children.flatMap(({ output }) => output().trim().split('\n'));
  const commits = said.filter((line) => !line.startsWith('opened '));
  expect(commits.filter((line) => !/^[0-9a-f]{40}$/.test(line))).toEqual([]);
  expect(new Set(commits).size).toBe(32);
  expect(new Set(user.git('rev-list', `${work.base}..${work.branch}`).split('\n'))).toEqual(new Set(commits));
  expect(await listRooms(work.repository)).toHaveLength(32);
  const merged = Object.keys(treeOf(user, work.repository.gitDir, work.head())).filter(
    (path) => !path.startsWith('src/'),
  );
  expect(merged).toHaveLength(32);
});

it('a process that is killed leaves nothing that another one stumbles over', { timeout: 120_000 }, async () => {
  const user = repository();
  const work = await workspaceOn(user);
  for (let time = 1; time <= 4; time += 1) {
    const child = start(user.folder, work.base, user.environment, 'k', 4);
    await Promise.race([sleep(time * 90), child.ended]);
    child.kill();
    await child.ended;
  }
  const last = start(user.folder, work.base, user.environment, 'k', 4);
  await last.ended;
  const lines = last.output().trim().split('\n');
  expect(lines.filter((line) => /^[0-9a-f]{40}$/.test(line))).toHaveLength(4);
  const trailer = '--format=%(trailers:key=Divisi-Delegation,valueonly,separator=%x20)';
  const delegations = user.git('log', trailer, `${work.base}..${work.branch}`).split('\n');
  expect(new Set(delegations).size).toBe(delegations.length);
  expect(Object.keys(treeOf(user, work.repository.gitDir, work.head()))).toEqual([
    'a.txt',
    'k0.txt',
    'k1.txt',
    'k2.txt',
    'k3.txt',
  ]);
  // A kill between a commit and its branch leaves a commit that nothing names, which is git's to collect.
  expect(user.git('fsck', '--connectivity-only', '--no-dangling')).toBe('');
  expect(user.git('status', '--porcelain')).toBe('');
  expect(await listRooms(work.repository)).toHaveLength(4);
});

it('opening and removing side by side do not take each other’s folder away', { timeout: 120_000 }, async () => {
  const user = repository();
  const work = await workspaceOn(user);
  const tasks = Array.from({ length: 24 }, (_, at) => `t${at}`);
  await Promise.all(
    tasks.map(async (task) => {
      const { folder, branch } = await work.open(task);
      await removeRoom(work.repository, { folder });
      await removeRefs(work.repository, { branches: [branch] });
    }),
  );
  expect(await listRooms(work.repository)).toEqual([]);
  expect(user.git('branch', '--list', 'divisi-task/*')).toBe('');
});
