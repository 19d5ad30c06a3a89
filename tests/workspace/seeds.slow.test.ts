/** Seeds: the result of one set-up fills the rooms that follow, and nothing else of a room ever does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CommandRun, WorkspaceFacts } from '../../src/core/event/verification.ts';
import { roomSetUp, type RoomSetUp } from '../../src/run-work/set-up/room-set-up.ts';
import { excludedPaths } from '../../src/run-work/run-workspace.ts';
import { runCommand } from '../../src/verify/run-command.ts';
import type { Repository } from '../../src/workspace/git/repository.ts';
import type { OpenedRoom, RoomSpec } from '../../src/workspace/git/room/open-room.ts';
import { removeRoom } from '../../src/workspace/git/room/remove-room.ts';
import { findSeed, listSeeds, refuseSeed, type Seed, seedsFolder } from '../../src/workspace/git/seed/seeds-folder.ts';
import { useSeed } from '../../src/workspace/git/seed/use-seed.ts';
import { type Files, temporaryFolders } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { at, type GitFolder, gitFolders, identity, run, type Workspace, workspaceOn, writeIn } from './git-project.ts';

const { repository } = gitFolders();
const folder = temporaryFolders();
const never = new AbortController().signal;

interface Place {
  readonly user: GitFolder;
  readonly work: Workspace;
  readonly facts: WorkspaceFacts;
  readonly rooms: RoomSetUp;
  /** How often set-up ran. */
  times(): number;
  open(task: string, spec?: Partial<RoomSpec>): Promise<OpenedRoom>;
  /** Sets up a room as a task's; answers it with the commit of what set-up changed. */
  fill(opened: OpenedRoom): Promise<OpenedRoom>;
  /** Opens and fills it. */
  room(task: string): Promise<OpenedRoom>;
  seeds(): Promise<Seed[]>;
}

const files = {
  'package.json': '{"name":"a"}\n',
  'package-lock.json': '{}\n',
  '.gitignore': 'node_modules\n*.log\n.env\n',
};

/** `npm ci` is a script of ours: what it does is `does`. */
async function place(does: string, given: Partial<WorkspaceFacts> & { readonly files?: Files } = {}): Promise<Place> {
  const { files: more = {}, ...own } = given;
  const log = join(folder(), 'times');
  const bin = folder({ npm: `#!/bin/sh\necho x >> '${log}'\n${does}\n` });
  chmodSync(join(bin, 'npm'), 0o755);
  const made = repository({ ...files, ...more });
  const user = { ...made, environment: { ...made.environment, PATH: `${bin}:${process.env['PATH']}` } };
  const work = await workspaceOn(user);
  const facts: WorkspaceFacts = {
    kind: 'git',
    base: work.base,
    branch: work.branch,
    identity,
    uncommitted: 0,
    prefix: '',
    setup: [['npm', 'ci']],
    link: [],
    copy: [],
    accept: [],
    forbidden: [],
    environment: [],
    timeout: 60,
    ...own,
  };
  const outputs = folder();
  const runOne = async ({ argv, directory, marker, output }: Asked): Promise<Omit<CommandRun, 'from'>> => {
    const outputFile = join(outputs, output);
    mkdirSync(dirname(outputFile), { recursive: true });
    const environment = { PATH: user.environment.PATH ?? '' };
    return runCommand({ argv, directory, marker, environment, outputFile, timeoutSeconds: 60 }, never);
  };
  const furnish = async (): Promise<Record<string, string>> => ({ DIVISI_SLUG: 'slug-of-room' });
  const warn = (error: unknown): void => {
    throw error;
  };
  const rooms = roomSetUp({ repository: work.repository, run, runOne, furnish, warn });
  const open: Place['open'] = (task, spec = {}) => work.open(task, { link: facts.link, copy: facts.copy, ...spec });
  const fill: Place['fill'] = async (opened) => {
    const { folder: top, directory, base, branch, carried } = opened;
    const name = branch.split('/').at(-1) ?? '';
    const marker = { run, delegation: `sess_1_${name}` };
    const spec = { folder: top, base, exclude: excludedPaths(facts), identity, at };
    const room = { folder: top, directory, tree: base, facts, marker, name };
    const { done, commit } = await rooms.setUpTask(room, spec, carried !== undefined, never);
    if (done !== undefined) throw new Error(`set-up failed: ${done.end} ${done.tail ?? ''}`);
    return { ...opened, ...(commit === undefined ? {} : { setUp: commit }) };
  };
  return {
    user,
    work,
    facts,
    rooms,
    open,
    times: () => (existsSync(log) ? readFileSync(log, 'utf8').length / 2 : 0),
    seeds: () => listSeeds(work.repository),
    fill,
    room: async (task) => fill(await open(task)),
  };
}

interface Asked {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly marker: { readonly run: string; readonly delegation: string };
  readonly output: string;
}

const install =
  'mkdir -p node_modules/b node_modules/.bin && echo 1 > node_modules/b/index.js && ln -s ../b/index.js node_modules/.bin/b';

const whyOf = async (some: Place): Promise<(string | undefined)[]> =>
  (await some.seeds()).map(({ record }) => record.why);

describe('a room from a seed', () => {
  it('has the files of the first set-up, which runs once; a write in one does not show in another', async () => {
    const some = await place(install);
    const [one, two] = [await some.room('1'), await some.room('2')];
    expect(some.times()).toBe(1);
    expect(readlinkSync(join(two.directory, 'node_modules/.bin/b'))).toBe('../b/index.js');
    writeFileSync(join(two.directory, 'node_modules/b/index.js'), 'mine');
    const three = await some.room('3');
    for (const { directory } of [one, three])
      expect(readFileSync(join(directory, 'node_modules/b/index.js'), 'utf8')).toBe('1\n');
    expect(statSync(join(one.directory, 'node_modules/b/index.js')).nlink).toBe(1);
    const [seed] = await some.seeds();
    expect(seed?.record).toMatchObject({ files: 2, untracked: ['node_modules'], showsInStatus: false });
    expect(seed?.record.copy).toBeGreaterThanOrEqual(0);
  });

  it('is made while others wait for the first set-up of their kind', async () => {
    const some = await place(`sleep 0.2; ${install}`);
    const opened = await Promise.all(['1', '2', '3', '4'].map((task) => some.room(task)));
    expect(some.times()).toBe(1);
    for (const { directory } of opened) expect(existsSync(join(directory, 'node_modules/b/index.js'))).toBe(true);
  });

  it('is not made from another lock file, but is when only sources have changed', async () => {
    const some = await place(install);
    await some.room('1');
    await some.work.settle('2', (directory) => writeIn(directory, { 'a.ts': '1' }));
    await some.room('3');
    expect(some.times()).toBe(1);
    await some.work.settle('4', (directory) => writeIn(directory, { 'package-lock.json': '{ }' }));
    await some.room('5');
    expect(some.times()).toBe(2);
    expect(await some.seeds()).toHaveLength(2);
  });

  it('of a project whose packages build themselves is made at the same commit only', async () => {
    const script = { 'packages/b/package.json': '{"scripts":{"prepare":"tsc"}}' };
    const some = await place(install, { files: script });
    await some.room('1');
    await some.room('2');
    expect(some.times()).toBe(1);
    await some.work.settle('3', (directory) => writeIn(directory, { 'a.ts': '1' }));
    await some.room('4');
    expect(some.times()).toBe(2);
  });

  it('of a set-up that builds is made at the same commit only', async () => {
    const some = await place(`${install}; echo built > out.log`);
    await some.room('1');
    expect(existsSync(join((await some.room('2')).directory, 'out.log'))).toBe(true);
    await some.work.settle('3', (directory) => writeIn(directory, { 'a.ts': '1' }));
    await some.room('4');
    expect(some.times()).toBe(2);
  });

  it('keeps what set-up changed apart from the work, as set-up itself would', async () => {
    const some = await place(`${install}; echo '{"v":3}' > package-lock.json; echo g > yarn.lock`);
    for (const task of ['1', '2']) {
      const room = await some.room(task);
      expect(readFileSync(join(room.directory, 'package-lock.json'), 'utf8')).toBe('{"v":3}\n');
      writeIn(room.directory, { 'a.txt': task });
      const { changes, bySetUp } = await some.work.snapshot(room, { setUp: room.setUp });
      expect([changes.map(({ path }) => path), bySetUp]).toEqual([['a.txt'], ['package-lock.json', 'yarn.lock']]);
    }
    expect(some.times()).toBe(1);
  });

  it('never has what the checkout gave to the first, nor what Divisi and git keep in it', async () => {
    const provided = { '.env': 'SECRET=1', 'conf/key.log': 'x' };
    const some = await place(install, { copy: ['.env', 'conf/key.log'] });
    some.user.write(provided);
    const one = await some.open('1');
    expect(existsSync(join(one.directory, '.env'))).toBe(true);
    await some.room('1');
    const [seed] = await some.seeds();
    expect(readdirSync(join(seed?.folder ?? '', 'files'))).toEqual(['node_modules']);
  });

  it('has earlier work on top, unless that has changed the lock file', async () => {
    const some = await place(install);
    for (const [task, change] of Object.entries({ 1: { 'a.txt': '1' }, 2: { 'package-lock.json': '{"v":9}' } })) {
      const room = await some.room(task);
      writeIn(room.directory, change);
      await some.work.settle(`other-${task}`, (directory) => writeIn(directory, { [`${task}.ts`]: '1' }));
      const carry = { room, exclude: [], identity, at };
      const again = await some.open(task, { attempt: 2, carry });
      expect([again.isWarm, again.carried]).toEqual([false, expect.any(String)]);
      await some.fill(again);
      expect(readFileSync(join(again.directory, 'node_modules/b/index.js'), 'utf8')).toBe('1\n');
      expect(some.times()).toBe(Number(task));
    }
    expect(await some.seeds()).toHaveLength(1);
  });

  it('gives way to a file that is in its place', async () => {
    const some = await place(install);
    await some.room('1');
    await some.work.settle('2', (directory) => {
      writeIn(directory, { 'packages/x.txt': '' });
    });
    const two = await some.open('3');
    writeIn(two.directory, { 'node_modules/mine.txt': 'x' });
    const { folder: top, directory, base: tree } = two;
    const marker = { run, delegation: 'sess_1_3' };
    await some.rooms.setUp({ folder: top, directory, tree, facts: some.facts, marker, name: '3' }, never);
    expect(some.times()).toBe(2);
    expect(readFileSync(join(two.directory, 'node_modules/mine.txt'), 'utf8')).toBe('x');
  });
});

describe('a set-up that is not kept', () => {
  it.each([
    [
      'a virtual environment',
      'mkdir -p .venv; echo "home = $PWD" > .venv/pyvenv.cfg',
      ".venv/pyvenv.cfg names the room's own path",
    ],
    [
      'an editable install',
      'mkdir -p node_modules; echo "$PWD/src" > node_modules/a.pth',
      "node_modules/a.pth names the room's own path",
    ],
    [
      'a script for the place',
      `mkdir -p node_modules/.bin; printf '#!%s/x\\n' "$PWD" > node_modules/.bin/a; chmod +x node_modules/.bin/a`,
      "node_modules/.bin/a names the room's own path",
    ],
    [
      'a link into the room',
      'mkdir node_modules; ln -s "$PWD/package.json" node_modules/a',
      'node_modules/a is a link to ',
    ],
    [
      'a link out of the room',
      'mkdir node_modules; ln -s ../../x node_modules/a',
      'node_modules/a is a link to ../../x',
    ],
    ['a repository', 'git init --quiet node_modules/a', 'node_modules/a/.git is a repository of its own'],
    [
      'the name of the room',
      'mkdir .venv; echo slug-of-room > .venv/database',
      ".venv/database names the room's DIVISI_SLUG",
    ],
    ['nothing', 'true', 'it leaves nothing in the room'],
    ['a deletion', `${install}; rm package-lock.json`, 'it deletes package-lock.json'],
    ['a write to a copied file', `${install}; echo x >> .env`, 'it writes to .env, which comes from your checkout'],
  ])('because of %s, runs in every room, and says why', async (_, does, why) => {
    const some = await place(does, { files: { '.gitignore': 'node_modules\n.venv\n.env\n' }, copy: ['.env'] });
    some.user.write({ '.env': 'x' });
    await some.room('1');
    await some.room('2');
    expect(some.times()).toBe(2);
    expect(await whyOf(some)).toEqual([expect.stringContaining(why)]);
    const [seed] = await some.seeds();
    expect(readdirSync(join(seed?.folder ?? '', 'files'))).toEqual([]);
  });

  it.each([
    ['ports', { ports: ['web'] }],
    ['teardown', { teardown: [['true']] }],
  ])('because of %s, runs in every room', async (_, given) => {
    const some = await place(install, given);
    await some.room('1');
    await some.room('2');
    expect(some.times()).toBe(2);
    expect(await whyOf(some)).toEqual(['with `teardown` or `ports`, it does more than to make files']);
  });

  it('when it is refused later runs in every room from then on', async () => {
    const some = await place(install);
    await some.room('1');
    const [seed] = await some.seeds();
    if (seed === undefined) throw new Error('no seed');
    await refuseSeed(some.work.repository, seed, 'its checks fail');
    await some.room('2');
    expect(some.times()).toBe(2);
    expect(await whyOf(some)).toEqual(['its checks fail']);
    expect((await findSeed(some.work.repository, seed.key))?.record.bytes).toBe(0);
  });

  it('when it is refused while a room is filled from it stays refused, and that room is set up', async () => {
    const some = await place(install);
    await some.room('1');
    const [seed] = await some.seeds();
    if (seed === undefined) throw new Error('no seed');
    const record = join(seed.folder, 'seed.json');
    const refused = JSON.stringify({ ...seed.record, why: 'its checks fail' });
    const bin = folder({ cp: `#!/bin/sh\n/bin/cp "$@" && echo '${refused}' > '${record}'\n` });
    chmodSync(join(bin, 'cp'), 0o755);
    const { repository: of } = some.work;
    const { folder: room } = await some.open('2');
    const environment = { ...of.environment, PATH: `${bin}:${of.environment['PATH']}` };
    expect(await useSeed({ ...of, environment }, seed, room)).toBe(false);
    expect(existsSync(join(room, 'node_modules'))).toBe(false);
    expect(await whyOf(some)).toEqual(['its checks fail']);
  });
});

describe('the first set-up of a run', () => {
  it('leaves a seed and no room, and is not repeated', async () => {
    const some = await place(install);
    expect(await some.rooms.tryOut(some.facts, never)).toBeUndefined();
    expect(await some.rooms.tryOut(some.facts, never)).toBeUndefined();
    await some.room('1');
    expect(some.times()).toBe(1);
    await removeRoom(some.work.repository, { folder: (await some.open('1')).folder });
    expect(readdirSync(some.work.repository.rooms)).toEqual(['.seeds']);
  });

  it('names the command that fails, and leaves nothing', async () => {
    const some = await place('echo no luck; exit 3');
    const failed = await some.rooms.tryOut(some.facts, never);
    expect(failed).toMatchObject({ argv: ['npm', 'ci'], end: 'exit code 3', tail: 'no luck' });
    expect(await some.seeds()).toEqual([]);
  });
});

describe('the seeds of a project', () => {
  it('are the three used last; what a killed process left is removed', async () => {
    const some = await place(install);
    mkdirSync(join(seedsFolder(some.work.repository), '.making-999999999-1-x/files'), { recursive: true });
    for (const at of [1, 2, 3, 4]) {
      await some.work.settle(`s${at}`, (directory) => writeIn(directory, { 'package-lock.json': `{"v":${at}}` }));
      await some.room(String(at));
    }
    expect(some.times()).toBe(4);
    expect(readdirSync(seedsFolder(some.work.repository))).toHaveLength(3);
    await some.room('5');
    expect(some.times()).toBe(4);
  });
});

describe('the seeds of a rooms folder that the project leaves', () => {
  const moved = async ({ user }: Place, rooms: string): Promise<Workspace> =>
    workspaceOn({ ...user, environment: { ...user.environment, DIVISI_ROOMS: rooms } });

  it('are removed with it when the first room is made elsewhere, not while it has rooms', async () => {
    const some = await place(install);
    const [left, elsewhere] = [some.work.repository.rooms, join(folder(), 'elsewhere')];
    const { folder: room } = await some.room('1');
    expect((await moved(some, elsewhere)).repository.rooms).toBe(left);
    await removeRoom(some.work.repository, { folder: room });
    expect(readdirSync(left)).toEqual(['.seeds']);
    const work = await moved(some, elsewhere);
    expect(dirname(work.repository.rooms)).toBe(elsewhere);
    await work.open('2');
    expect([existsSync(left), existsSync(dirname(left))]).toEqual([false, true]);
  });

  it.each([
    [
      'another project uses it',
      (left: string, { state }: Repository) => {
        const other = `${dirname(state)}/other-0123abcd`;
        mkdirSync(other);
        writeFileSync(join(other, 'rooms-folder'), `${left}\n`);
      },
    ],
    ['it has rooms again', (left: string) => mkdirSync(join(left, 'GHJKMNPQ/1'), { recursive: true })],
    [
      'it is a symlink',
      (left: string) => {
        renameSync(left, `${left}-real`);
        symlinkSync(`${left}-real`, left);
      },
    ],
    [
      'its name is not one of ours',
      (left: string, { state }: Repository) => {
        renameSync(left, `${left}-real`);
        writeFileSync(join(state, 'rooms-folder'), `${left}-real\n`);
      },
    ],
  ])('stay where %s', async (_, change) => {
    const some = await place(install);
    const { rooms: left } = some.work.repository;
    await removeRoom(some.work.repository, await some.room('1'));
    const work = await moved(some, join(folder(), 'elsewhere'));
    change(left, some.work.repository);
    await work.open('2');
    expect([left, `${left}-real`].some((at) => existsSync(join(at, '.seeds')))).toBe(true);
  });
});

describe('a seed that is being made', () => {
  const child = fileURLToPath(new URL('./make-seed-child.ts', import.meta.url));
  const make = (user: GitFolder, path: string, task: string): ChildProcess =>
    spawn(process.execPath, [child, user.folder, run, task], {
      env: { ...user.environment, PATH: path },
      stdio: 'inherit',
    });
  const ended = async (process: ChildProcess): Promise<number | null> => {
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
    return process.exitCode;
  };

  it('is not there after kill -9, and is made by the next', async () => {
    const user = repository(files);
    const { repository: of } = await workspaceOn(user);
    // A `cp` that stops half way, for as long as its process lives.
    const halfWay = 'for last; do :; done\necho 1 > "$last/1"\nwhile kill -0 $PPID 2> /dev/null; do sleep 0.05; done';
    const bin = folder({ cp: `#!/bin/sh\n${halfWay}\n` });
    chmodSync(join(bin, 'cp'), 0o755);
    const path = process.env['PATH'] ?? '';
    const killed = make(user, `${bin}:${path}`, '1');
    const half = (): string[] => (existsSync(seedsFolder(of)) ? readdirSync(seedsFolder(of)) : []);
    const isHalf = (name: string): boolean => existsSync(join(seedsFolder(of), name, 'files/node_modules/1'));
    await until(() => half().some(isHalf), Boolean);
    killed.kill('SIGKILL');
    expect(await ended(killed)).toBe(null);
    expect(half()).toEqual([expect.stringMatching(/^\.making-/)]);
    expect(await listSeeds(of)).toEqual([]);
    expect(await ended(make(user, path, '2'))).toBe(0);
    const [seed] = await listSeeds(of);
    expect(half()).toEqual([seed?.key]);
    expect(seed?.record.files).toBe(2);
  });

  it('is made once by processes that begin together', async () => {
    const user = repository(files);
    const { repository: of } = await workspaceOn(user);
    const path = process.env['PATH'] ?? '';
    const codes = await Promise.all(['1', '2', '3'].map((task) => ended(make(user, path, task))));
    expect(codes).toEqual([0, 0, 0]);
    expect(readdirSync(seedsFolder(of))).toEqual((await listSeeds(of)).map(({ key }) => key));
    expect(await listSeeds(of)).toHaveLength(1);
  });
});
