/** Measures rooms of a project that needs an install: the tenth, made from a seed, against the first, set up by npm. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspaceFacts } from '../src/core/event/verification.ts';
import { roomSetUp } from '../src/run-work/set-up/room-set-up.ts';
import { runCommand } from '../src/verify/run-command.ts';
import { git } from '../src/workspace/git/git.ts';
import { findRepository, shared } from '../src/workspace/git/repository.ts';
import { beginWorkspace, ensureRunBranch } from '../src/workspace/git/room/begin-workspace.ts';
import { openRoom, type OpenedRoom } from '../src/workspace/git/room/open-room.ts';
import { pristineIndex } from '../src/workspace/git/room/room-record.ts';
import { listSeeds } from '../src/workspace/git/seed/seeds-folder.ts';
import { atMost, type Figures, type Print, recorded, rounded, sized } from './bench.ts';
import { median } from './measure.ts';
import { bareGit, gitEnvironment, makeRepository } from './workspace-repository.ts';

const packages = sized(150, 5);
const filesEach = sized(60, 10);
const sources = sized(2000, 100);
const rooms = 10;
const identity = { name: 'Bench', email: 'bench@localhost' };
const run = 'run_benchseeds';

/** Packages as archives in the repository: npm installs them without a registry. */
async function makeProject(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  mkdirSync(join(folder, 'archives'), { recursive: true });
  const dependencies: Record<string, string> = {};
  for (let at = 0; at < packages; at += 1) {
    const name = `part-${at}`;
    const source = join(folder, 'archives', name, 'package');
    mkdirSync(join(source, 'lib'), { recursive: true });
    writeFileSync(join(source, 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
    for (let one = 0; one < filesEach; one += 1)
      writeFileSync(join(source, `lib/${one}.js`), `module.exports = ${at};\n`.repeat(100 + one));
    const archive = join(folder, 'archives', `${name}.tgz`);
    execFileSync('tar', ['-czf', archive, '-C', join(folder, 'archives', name), 'package']);
    rmSync(join(folder, 'archives', name), { recursive: true });
    dependencies[name] = `file:archives/${name}.tgz`;
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bench', version: '1.0.0', dependencies }));
  await makeRepository(folder, environment, sources);
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
  const words = ['install', '--package-lock-only', '--offline', '--no-audit', '--no-fund'];
  execFileSync('npm', words, { cwd: folder, env: environment, stdio: 'ignore' });
  await bareGit(folder, environment, 'add', '-A');
  await bareGit(folder, environment, 'commit', '--quiet', '-m', 'Packages');
}

export async function measureSeeds(print: Print, parent: string): Promise<Figures> {
  const environment = gitEnvironment(join(parent, 'home'));
  const folder = join(parent, 'seeds');
  await makeProject(folder, environment);
  const repository = await findRepository(folder, environment);
  const { facts: begun } = await beginWorkspace(repository, { run, at: 0 });
  const { base, branch } = begun;
  await ensureRunBranch(repository, { branch, base });
  const setup = [['npm', 'ci', '--offline', '--no-audit', '--no-fund']];
  const none = { link: [], copy: [], accept: [], forbidden: [], environment: [] };
  const facts: WorkspaceFacts = { ...begun, prefix: '', ...none, setup, timeout: 600 };
  const signal = new AbortController().signal;
  const rooming = roomSetUp({
    repository,
    run,
    runOne: ({ argv, directory, marker, output }) => {
      const outputFile = join(parent, output.replaceAll('/', '-'));
      const { PATH = '', HOME = '' } = environment;
      return runCommand(
        { argv, directory, environment: { PATH, HOME }, marker, outputFile, timeoutSeconds: 600 },
        signal,
      );
    },
    furnish: async () => ({}),
    warn: (error) => {
      throw error;
    },
  });
  const placeOf = ({ folder: top, directory }: OpenedRoom, name: string): Parameters<typeof rooming.setUp>[0] => {
    return { folder: top, directory, tree: base, facts, marker: { run, delegation: name }, name };
  };
  const fill = async (room: OpenedRoom, name: string): Promise<void> => {
    const spec = { folder: room.folder, base, exclude: [], identity, at: 0 };
    const { done } = await rooming.setUpTask(placeOf(room, name), spec, false, signal);
    if (done !== undefined) throw new Error(`set-up failed: ${done.tail ?? done.end}`);
  };

  const times: number[] = [];
  const handed: number[] = [];
  for (let at = 1; at <= rooms; at += 1) {
    const start = performance.now();
    const spec = { run, task: String(at), attempt: 1, branch, identity, link: [], copy: [] };
    const room = await openRoom(repository, spec);
    await fill(room, String(at));
    times.push(performance.now() - start);
    if (at > 1) handed.push(await handOver(room));
  }

  /** What giving the room to another task would take: nothing of the old one may be left. */
  async function handOver(room: OpenedRoom): Promise<number> {
    const start = performance.now();
    await rm(join(room.folder, 'node_modules'), { recursive: true });
    const place = { ...shared(repository), workTree: room.folder, index: pristineIndex(repository, room.folder) };
    await git(place, ['read-tree', '--reset', '-u', base]);
    await fill(room, 'handed-over');
    return performance.now() - start;
  }

  const [seed] = await listSeeds(repository);
  if (seed?.record.why !== undefined || seed === undefined) throw new Error(`no seed: ${seed?.record.why ?? ''}`);
  const { reflinks, files, bytes } = seed.record;
  const [first = 0, ...others] = times;
  const tenth = median(others);
  const again = median(handed);
  print(
    `rooms of a project with ${packages} packages, ${files} files and ${rounded(bytes / 1024 ** 2)} MiB; ${reflinks ? 'with reflinks' : 'copied, this file system has no reflinks'}`,
    `  first  ${rounded(first)} ms, set up by npm ci, and the seed made`,
    `  from the seed  ${rounded(tenth)} ms (median of ${others.length})`,
    `  ratio  ${rounded(tenth / first)}`,
    `  handing a room over to another task, emptied and seeded again, would take ${rounded(again / tenth)} of a new one`,
  );
  const how = reflinks ? 'with reflinks' : 'copied';
  return {
    [`room from a seed, ${how}, of the first room`]: atMost(reflinks ? 0.15 : 0.4, tenth / first, '×'),
    'room handed over to another task, of a new one from the seed': recorded(again / tenth, '×'),
  };
}
