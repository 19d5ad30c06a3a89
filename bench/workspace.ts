/** Measures the cost of isolation: a room for each task, and merging its work into the run's branch. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { verifyWork } from '../src/verify/verify-work.ts';
import { beginWorkspace, ensureRunBranch } from '../src/workspace/git/room/begin-workspace.ts';
import { changedLines } from '../src/workspace/git/changed-lines.ts';
import { ignoredPaths } from '../src/workspace/git/look-up.ts';
import { mergeWork } from '../src/workspace/git/merge/merge-work.ts';
import { openRoom } from '../src/workspace/git/room/open-room.ts';
import { removeRefs, removeRoom } from '../src/workspace/git/room/remove-room.ts';
import { findRepository, type Repository } from '../src/workspace/git/repository.ts';
import { type RoomSnapshot, snapshotRoom } from '../src/workspace/git/room/snapshot-room.ts';
import { atMost, type Bench, type Figures, type Print, recorded, rounded, sized } from './bench.ts';
import { median } from './measure.ts';
import { installCommand } from './installed-command.ts';
import { measureCanary } from './workspace-canary.ts';
import { measureConfinement } from './workspace-confinement.ts';
import { measureRoom } from './workspace-room.ts';
import { measureRun } from './workspace-run.ts';
import { measureSeeds } from './workspace-seeds.ts';
import { bareGit, diskUse, fileName, gitEnvironment, makeRepository } from './workspace-repository.ts';

const files = sized(20_000, 500);
const tasks = sized(100, 3);
/** On a slow disk fewer tasks are settled; the figures say how many. */
const mostMinutes = 2;
/** Looking at the disk takes long; a few tasks tell. */
const weighed = 3;
const edits = 3;

/** One task: opened, edited, settled, gone. `weigh` is called while its files are there. */
type Settle = (at: number, weigh: (...paths: string[]) => Promise<void>) => Promise<number>;

function edit(folder: string, at: number): void {
  for (let one = 0; one < edits; one += 1)
    appendFileSync(join(folder, fileName((at * 131 + one * 997) % files)), `task ${at}\n`);
}

interface Verified {
  /** Milliseconds, and of these what git took. */
  readonly all: number;
  readonly git: number;
}

/** Of a task that says what it did, without acceptance commands. */
async function verify(repository: Repository, folder: string, base: string, snapshot: RoomSnapshot): Promise<Verified> {
  const start = performance.now();
  const { commit = base, changes } = snapshot;
  const { files: lines } = await changedLines(repository, { base, commit, mostBytes: 4 * 1024 * 1024 });
  let git = performance.now() - start;
  const touched = changes.map(({ path }) => ({ path, action: 'edit' as const }));
  const evidence = ['npm test: 3 passed'];
  const { verdict } = await verifyWork(
    {
      directory: folder,
      claims: { files: 'with-actions', touched, artifacts: touched.map(({ path }) => path), evidence },
      aboutReturn: [],
      repairs: 0,
      expectsChanges: true,
      changes,
      lines,
      scope: [],
      forbidden: [],
      ownPaths: [],
      commands: [],
    },
    {
      kept: () => Promise.resolve(new Set()),
      before: () => Promise.resolve(undefined),
      after: () => Promise.resolve(undefined),
      renames: () => Promise.resolve(new Map()),
      ignored: async (paths) => {
        const asked = performance.now();
        const found = await ignoredPaths(repository, folder, paths);
        git += performance.now() - asked;
        return found;
      },
      run: () => Promise.reject(new Error('there are no commands')),
    },
  );
  if (verdict !== 'verified') throw new Error(`an honest task is ${verdict}`);
  return { all: performance.now() - start, git };
}

async function divisiSettle(folder: string, environment: NodeJS.ProcessEnv, verified: Verified[]): Promise<Settle> {
  const run = 'run_bench';
  const identity = { name: 'Bench', email: 'bench@localhost' };
  const repository = await findRepository(folder, environment);
  const {
    facts: { base, branch },
  } = await beginWorkspace(repository, { run, at: 0 });
  await ensureRunBranch(repository, { branch, base });
  let knownHead = base;
  return async (at, weigh) => {
    const start = performance.now();
    const opened = await openRoom(repository, {
      run,
      task: String(at),
      attempt: 1,
      branch,
      identity,
      link: [],
      copy: [],
    });
    const begun = performance.now();
    edit(opened.directory, at);
    const edited = performance.now();
    const { folder: place, base: from, branch: own } = opened;
    const shape = { exclude: [], identity, at: 0, message: `Task ${at}` };
    const snapshot = await snapshotRoom(repository, { ...shape, folder: place, base: from, branch: own });
    if (snapshot === undefined) throw new Error(`task ${at} has no folder`);
    const { commit = from } = snapshot;
    verified.push(await verify(repository, place, from, snapshot));
    const work = { branch, knownHead, base: from, commit, delegation: `sess_1_${at}`, trailers: [], identity, at: 0 };
    const end = await mergeWork(repository, { ...work, message: `Task ${at}` });
    const merged = performance.now();
    if (end.kind !== 'merged') throw new Error(`task ${at}: ${end.kind}`);
    knownHead = end.commit;
    await weigh(opened.directory, join(repository.state, 'rooms'));
    const weighedAt = performance.now();
    await removeRoom(repository, { folder: place });
    await removeRefs(repository, { branches: [own], rooms: [place] });
    return begun - start + (merged - edited) + (performance.now() - weighedAt);
  };
}

function bareSettle(folder: string, environment: NodeJS.ProcessEnv): Settle {
  const place = (at: number): string => join(folder, `.divisi/bare/${at}`);
  const git = (...args: string[]): Promise<string> => bareGit(folder, environment, ...args);
  return async (at, weigh) => {
    const start = performance.now();
    await git('worktree', 'add', '--quiet', '-b', `task/${at}`, place(at), 'main');
    const begun = performance.now();
    edit(place(at), at);
    const edited = performance.now();
    await bareGit(place(at), environment, 'add', '-A');
    await bareGit(place(at), environment, 'commit', '--quiet', '-m', `Task ${at}`);
    await git('merge', '--quiet', '--no-ff', '--no-edit', `task/${at}`);
    const merged = performance.now();
    await weigh(place(at), join(folder, '.git/worktrees'));
    const weighedAt = performance.now();
    await git('worktree', 'remove', '--force', place(at));
    await git('branch', '--quiet', '-D', `task/${at}`);
    return begun - start + (merged - edited) + (performance.now() - weighedAt);
  };
}

async function measure(print: Print, folder: string): Promise<Figures> {
  const environment = gitEnvironment(join(folder, 'home'));
  const [ours, bare] = [join(folder, 'ours'), join(folder, 'bare')];
  for (const one of [ours, bare]) await makeRepository(one, environment, files);
  const verified: Verified[] = [];
  const settleOurs = await divisiSettle(ours, environment, verified);
  const settleBare = bareSettle(bare, environment);
  const weights: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  const scale =
    (side: keyof typeof weights, isOn: boolean) =>
    async (...paths: string[]): Promise<void> => {
      if (isOn) weights[side].push(await diskUse(...paths));
    };
  const pairs: (readonly [ours: number, bare: number])[] = [];
  for (let at = 0, end = Date.now() + mostMinutes * 60_000; at < tasks && Date.now() < end; at += 1) {
    const time = await settleOurs(at, scale('ours', at < weighed));
    pairs.push([time, await settleBare(at, scale('bare', at < weighed))]);
  }
  const [time, bareTime] = [median(pairs.map(([one]) => one)), median(pairs.map(([, one]) => one))];
  const ratio = median(pairs.map(([one, other]) => one / other));
  const beyond = median(verified.map(({ all, git }) => all - git));
  const [disk, bareDisk] = [median(weights.ours), median(weights.bare)];
  print(
    `${pairs.length} tasks on a repository of ${files} files, ${edits} of them edited by each`,
    `  Divisi  ${rounded(time)} ms and ${rounded(disk / 1024 ** 2)} MiB a task`,
    `  git    ${rounded(bareTime)} ms and ${rounded(bareDisk / 1024 ** 2)} MiB a task`,
    `  ratio  ${rounded(ratio)} in time (median of neighbours), ${rounded(disk / bareDisk)} on the disk`,
    `  of Divisi's time, verifying took ${rounded(median(verified.map(({ all }) => all)))} ms, ${rounded(beyond)} ms of it beyond git's own`,
  );
  return {
    'time per task, of bare git worktree add and git merge': atMost(1.5, ratio, '×'),
    'disk per task, of a bare worktree': atMost(1.5, disk / bareDisk, '×'),
    "verifying a task without commands, beyond git's own time": atMost(50, beyond, 'ms'),
    'time per task': recorded(time, 'ms'),
    'tasks settled': recorded(pairs.length, 'tasks'),
  };
}

export const workspace: Bench = {
  compares: `creating and settling tasks, one after another, against bare git on a repository of the same files.
  Divisi: openRoom, snapshotRoom with its diff, verifyWork, mergeWork, removeRoom with the branch. Bare git: worktree add,
  add and commit, merge in the main checkout, worktree remove, branch -D. The edits themselves are not counted. Both take
  turns on the same disk. The disk is that of a room or worktree and of what is kept about it.
  Then rooms alone, with their confinement, made, snapshotted and removed, against git worktree add and remove. Then the start of a program
  that does nothing, confined against not. Then rooms that need an install of packages: from a
  seed, against the first one, which npm sets up. Then whole runs of the installed command with tasks that
  write a line: processes that a git in front of git counts; processor time of the run and all of its children, less what the agent takes alone; and
  divisi verify of the finished run. Then a run with a canary against the same run when the canary's answer is known already.`,
  run: async (print) => {
    const parent = join(import.meta.dirname, '../node_modules/.cache');
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, 'divisi-bench-'));
    try {
      const alone = {
        ...(await measure(print, folder)),
        ...(await measureRoom(print, folder)),
        ...(await measureConfinement(print, folder)),
      };
      const figures = { ...alone, ...(await measureSeeds(print, folder)) };
      const launcher = installCommand(folder);
      return { ...figures, ...measureRun(print, folder, launcher), ...measureCanary(print, folder, launcher) };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
