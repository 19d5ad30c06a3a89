/** Files changed by set-up commands are not part of the work. */
import { defined } from '../../src/base/defined.ts';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpenedRoom } from '../../src/workspace/git/room/open-room.ts';
import { removeRoom, removeSetUpRefs } from '../../src/workspace/git/room/remove-room.ts';
import { keepSetUp } from '../../src/workspace/git/room/set-up.ts';
import type { RoomSnapshot } from '../../src/workspace/git/room/snapshot-room.ts';
import type { Files } from '../support/temporary-folder.ts';
import { at, gitFolders, identity, run, treeOf, type Workspace, workspaceOn, writeIn } from './git-project.ts';

const { repository } = gitFolders();

/** Files to write, and names of what is removed first. */
type Act = readonly [files: Files, gone?: readonly string[]];

function act(directory: string, [files, gone = []]: Act): void {
  for (const path of gone) rmSync(join(directory, path), { recursive: true });
  writeIn(directory, files);
}

async function setUp(work: Workspace, opened: OpenedRoom, does: Act): Promise<OpenedRoom> {
  const spec = { folder: opened.folder, base: opened.base, exclude: [], identity, at };
  const { commit } = await keepSetUp(work.repository, spec, async () => act(opened.directory, does));
  return { ...opened, ...defined({ setUp: commit }) };
}

const snapshot = (work: Workspace, room: OpenedRoom): Promise<RoomSnapshot> =>
  work.snapshot(room, { setUp: room.setUp });

const pathsOf = ({ changes }: RoomSnapshot): string[] => changes.map(({ path, change }) => `${change} ${path}`);

const files = { 'a.txt': 'one\n', 'lock.json': '{"old": 1}\n', 'gone.txt': 'x\n', 'dir/b.txt': 'b\n' };

describe('what set-up did and the agent left', () => {
  it.each<[string, Act, Act, string[], string[]]>([
    ['a file that git knows', [{ 'lock.json': '{}' }], [{ 'out.txt': 'x' }], ['added out.txt'], ['lock.json']],
    ['a new file', [{ 'gen/ä b.txt': 'g' }], [{ 'out.txt': 'x' }], ['added out.txt'], ['gen/ä b.txt']],
    ['a file that it takes away', [{}, ['gone.txt']], [{ 'out.txt': 'x' }], ['added out.txt'], ['gone.txt']],
    [
      'a file in the place of a folder',
      [{ dir: 'x' }, ['dir']],
      [{ 'a.txt': 'x' }],
      ['edited a.txt'],
      ['dir', 'dir/b.txt'],
    ],
    ['all there is', [{ 'lock.json': '{}' }], [{}], [], ['lock.json']],
    [
      'not what the agent changed further',
      [{ 'lock.json': '{}' }],
      [{ 'lock.json': '{}\n' }],
      ['edited lock.json'],
      [],
    ],
    ['not what the agent took away', [{ 'lock.json': '{}' }], [{}, ['lock.json']], ['deleted lock.json'], []],
    ['not what the agent put back', [{ 'lock.json': '{}' }], [{ 'lock.json': files['lock.json'] }], [], []],
    ['not what the agent made again', [{}, ['gone.txt']], [{ 'gone.txt': 'y\n' }], ['edited gone.txt'], []],
    // What was in the folder cannot come back without taking the agent's file away.
    [
      'not what a file of the agent stands in for',
      [{}, ['dir']],
      [{ dir: 'mine' }],
      ['added dir', 'deleted dir/b.txt'],
      [],
    ],
    [
      'not what stands where the agent has made a folder',
      [{}, ['gone.txt']],
      [{ 'gone.txt/x': 'mine' }],
      ['deleted gone.txt', 'added gone.txt/x'],
      [],
    ],
  ])('is not part of the work: %s', async (_, setsUp, does, changes, bySetUp) => {
    const work = await workspaceOn(repository(files));
    const opened = await setUp(work, await work.open('1'), setsUp);
    act(opened.directory, does);
    const found = await snapshot(work, opened);
    expect({ changes: pathsOf(found), bySetUp: found.bySetUp }).toEqual({ changes, bySetUp });
  });

  it('is as the project has it, also beside a project that is a part of the repository', async () => {
    const user = repository({ 'packages/a/x.txt': '1\n', 'lock.json': '{}\n' });
    const work = await workspaceOn(user, join(user.folder, 'packages/a'));
    const opened = await setUp(work, await work.open('1'), [{ '../../lock.json': '{ }\n', 'gen.txt': 'g' }]);
    writeIn(opened.directory, { 'x.txt': '2\n' });
    const found = await snapshot(work, opened);
    expect({ changes: pathsOf(found), bySetUp: found.bySetUp }).toEqual({
      changes: ['edited x.txt'],
      bySetUp: [':/lock.json', 'gen.txt'],
    });
  });

  it('is not kept where it did nothing, or only what is ignored', async () => {
    const work = await workspaceOn(repository({ ...files, '.gitignore': 'dep/\n' }));
    expect(await setUp(work, await work.open('1'), [{}])).not.toHaveProperty('setUp');
    expect(await setUp(work, await work.open('2'), [{ 'dep/x.js': '1' }])).not.toHaveProperty('setUp');
  });

  it('is known for as long as the folder is there, whatever is tidied up meanwhile', async () => {
    const user = repository(files);
    const work = await workspaceOn(user);
    const opened = await setUp(work, await work.open('1'), [{ 'lock.json': '{}' }]);
    user.git('gc', '--quiet', '--prune=now');
    expect(await snapshot(work, opened)).toMatchObject({ changes: [], bySetUp: ['lock.json'] });
    await removeRoom(work.repository, { folder: opened.folder });
    await removeSetUpRefs(work.repository, run);
    expect(user.git('for-each-ref', 'refs/divisi/set-up')).toBe('');
  });

  it('counts as work where someone has removed what it is known by', async () => {
    const user = repository(files);
    const work = await workspaceOn(user);
    const opened = await setUp(work, await work.open('1'), [{ 'lock.json': '{}' }]);
    user.git('update-ref', '-d', user.git('for-each-ref', '--format=%(refname)', 'refs/divisi/set-up'));
    user.git('gc', '--quiet', '--prune=now');
    expect(pathsOf(await snapshot(work, opened))).toEqual(['edited lock.json']);
  });
});

describe('work after set-up', () => {
  const carried = (room: OpenedRoom): object => ({
    attempt: 2,
    carry: { room, exclude: [], identity, at },
  });
  const twice: Act = [{ 'lock.json': '{}' }];

  it('has the work of the attempt before, and not its set-up', async () => {
    const user = repository(files);
    const work = await workspaceOn(user);
    const first = await setUp(work, await work.open('1'), twice);
    writeIn(first.directory, { 'out.txt': 'half' });
    await work.settle('2', (directory) => writeIn(directory, { 'two.txt': '2' }));
    const opened = await work.open('1', carried(first));
    expect(readFileSync(join(opened.directory, 'lock.json'), 'utf8')).toBe(files['lock.json']);
    const second = await setUp(work, opened, twice);
    writeIn(second.directory, { 'more.txt': 'rest' });
    const { commit = '' } = await snapshot(work, second);
    expect(treeOf(user, work.repository.gitDir, commit)).toMatchObject({
      'out.txt': '100644 half',
      'more.txt': '100644 rest',
      'lock.json': `100644 ${files['lock.json']}`,
    });
  });

  it('keeps what the attempt before did to a file that set-up touches again', async () => {
    const user = repository(files);
    const work = await workspaceOn(user);
    const first = await setUp(work, await work.open('1'), twice);
    writeIn(first.directory, { 'lock.json': '{"mine": 1}\n' });
    const second = await setUp(work, await work.open('1', carried(first)), twice);
    expect(readFileSync(join(second.directory, 'lock.json'), 'utf8')).toBe('{}');
    const found = await snapshot(work, second);
    expect({ changes: pathsOf(found), bySetUp: found.bySetUp }).toEqual({
      changes: ['edited lock.json'],
      bySetUp: ['lock.json'],
    });
    expect(treeOf(user, work.repository.gitDir, found.commit ?? '')['lock.json']).toBe('100644 {"mine": 1}\n');
  });

  it('leaves out what set-up did before the attempt that it continues, in the same room', async () => {
    const work = await workspaceOn(repository(files));
    const first = await setUp(work, await work.open('1'), twice);
    writeIn(first.directory, { 'out.txt': 'half' });
    const second = await work.open('1', carried(first));
    expect(second).toMatchObject({ isWarm: true, setUp: first.setUp });
    expect(readFileSync(join(second.directory, 'lock.json'), 'utf8')).toBe('{}');
    const found = await snapshot(work, second);
    expect({ changes: pathsOf(found), bySetUp: found.bySetUp }).toEqual({
      changes: ['added out.txt'],
      bySetUp: ['lock.json'],
    });
  });

  it('has nothing where only set-up was running', async () => {
    const work = await workspaceOn(repository(files));
    const first = await setUp(work, await work.open('1'), [{ 'gen.txt': 'g' }]);
    mkdirSync(join(first.directory, 'empty'));
    await work.settle('2', (directory) => writeIn(directory, { 'two.txt': '2' }));
    const second = await work.open('1', carried(first));
    expect(second).not.toHaveProperty('carried');
    expect(existsSync(join(second.directory, 'gen.txt'))).toBe(false);
  });
});
