/** `divisi clean` removes the leftovers of finished runs, and of no others. */
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { gitIn, gitProject } from '../support/committed-project.ts';
import { ledgerOf, planText, projectFiles, said } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { ledgerFile } from '../../src/workspace/places.ts';
import { roomsFolder, roomsOf } from '../support/rooms.ts';

const folder = temporaryFolders();

interface Cleaned {
  readonly dryRun: boolean;
  readonly removed: readonly { readonly run: string; readonly folders: string[]; readonly branches: string[] }[];
  readonly kept: readonly { readonly run: string; readonly why: string }[];
  readonly bytes: number;
}

async function clean(cwd: string, ...args: string[]): Promise<Cleaned> {
  const { code, stdout, stderr } = await divisi(['clean', '--json', ...args], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Cleaned;
}

const branches = (cwd: string): string[] =>
  gitIn(cwd, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');

async function failedRun(cwd: string): Promise<string> {
  await divisi(['run', 'plan.md'], { cwd });
  const { run } = ledgerOf(cwd).report;
  await divisi(['cancel', run], { cwd });
  return run;
}

describe('a run that was cancelled', () => {
  const project = { waves: [['1.1'], ['2.1']], behave: { '2.1': 'fail' } } as const;

  it('is cleaned too where an older version of the core started it', async () => {
    const cwd = gitProject(folder, project);
    const run = await failedRun(cwd);
    const db = new DatabaseSync(ledgerFile(cwd));
    db.exec(`update events set body = json_set(body, '$.core', 1) where seq = 1; delete from snapshots`);
    db.close();
    expect((await divisi(['report'], { cwd })).stderr).toContain('[LEDGER_NEWER]');
    expect((await clean(cwd)).removed).toMatchObject([{ run }]);
    expect(roomsOf(cwd)).toEqual([]);
  });

  it('its folders and branches go; its branch stays until it is merged', async () => {
    const cwd = gitProject(folder, project);
    const run = await failedRun(cwd);
    expect(roomsOf(cwd)).toEqual(['2.1']);
    const before = [branches(cwd), roomsOf(cwd)];

    const dry = await clean(cwd, '--dry-run');
    expect([branches(cwd), roomsOf(cwd)]).toEqual(before);
    const done = await clean(cwd);
    expect({ ...done, dryRun: true }).toEqual(dry);
    expect(done.removed).toMatchObject([
      {
        run,
        status: 'cancelled',
        folders: [join(roomsFolder(cwd), run.slice(-8), '2.1')],
        // Its attempts have changed nothing.
        branches: [],
      },
    ]);
    expect(done.bytes).toBeGreaterThan(1000);
    expect(done.kept).toEqual([{ run, why: 'not-merged' }]);
    expect({ branches: branches(cwd), rooms: roomsOf(cwd) }).toEqual({
      branches: [`divisi/${run}`, 'main'],
      rooms: [],
    });
    expect(gitIn(cwd, 'worktree', 'list').split('\n')).toHaveLength(1);

    await divisi(['merge', run, '--yes'], { cwd });
    expect((await divisi(['clean'], { cwd })).stdout).toBe(
      `removed ${run} (cancelled): 0 folders, 1 branch, 0 B\nfreed 0 B\n`,
    );
    expect(branches(cwd)).toEqual(['main']);
    expect((await divisi(['clean'], { cwd })).stdout).toBe('nothing to clean\n');
    expect((await divisi(['merge', run, '--yes'], { cwd })).stdout).toBe(`nothing to merge: main has all of ${run}\n`);
  });

  it('continues afterwards, without what was cleaned away', async () => {
    const cwd = gitProject(folder, project);
    const run = await failedRun(cwd);
    await clean(cwd);
    writeFileSync(join(cwd, 'behave.json'), '{}');
    const { code } = await divisi(['resume', run], { cwd });
    expect({ code, status: ledgerOf(cwd).report.status }).toEqual({ code: 0, status: 'completed' });
  });

  it('in a folder that is not a repository', async () => {
    const cwd = folder(projectFiles(project));
    const run = await failedRun(cwd);
    expect((await clean(cwd)).kept).toEqual([{ run, why: 'not-merged' }]);
    expect(roomsOf(cwd)).toEqual([]);
    await divisi(['merge', run, '--yes'], { cwd });
    writeFileSync(join(cwd, '1.1.txt'), 'changed since\n');
    expect((await clean(cwd)).removed).toMatchObject([{ run, branches: [`divisi/${run}`] }]);
    expect(await clean(cwd)).toEqual({
      dryRun: false,
      ended: [],
      removed: [],
      kept: [],
      seeds: { count: 0, bytes: 0 },
      bytes: 0,
    });
  });

  it('a branch that someone has checked out stays', async () => {
    const cwd = gitProject(folder);
    await divisi(['run', 'plan.md'], { cwd });
    const { run } = ledgerOf(cwd).report;
    gitIn(cwd, 'stash', '--quiet');
    gitIn(cwd, 'switch', '--quiet', `divisi/${run}`);
    expect(await clean(cwd)).toMatchObject({ removed: [], kept: [{ run, why: 'checked-out' }] });
    expect(branches(cwd)).toEqual([`divisi/${run}`, 'main']);
    expect(gitIn(cwd, 'status', '--short', '--untracked-files=no')).toBe('');
  });

  it('so does one of an attempt', async () => {
    const cwd = gitProject(folder, project);
    const run = await failedRun(cwd);
    const attempt = `divisi-task/${run}/2.1-2`;
    gitIn(cwd, 'stash', '--quiet');
    gitIn(cwd, 'switch', '--quiet', '-c', attempt, `divisi/${run}`);
    expect((await clean(cwd)).kept).toEqual([{ run, why: 'checked-out' }]);
    expect(roomsOf(cwd)).toEqual([]);
    // It began from the run's branch: the user has that.
    expect(branches(cwd)).toEqual([attempt, 'main']);
    expect(gitIn(cwd, 'status', '--short', '--untracked-files=no')).toBe('');
  });
});

describe('a run nobody wants', () => {
  it('is discarded with its branch, merged or not, once that is confirmed; a paused one is cancelled', async () => {
    const cwd = gitProject(folder, { waves: [['1.1'], ['2.1']], behave: { '2.1': 'fail' } });
    await divisi(['run', 'plan.md'], { cwd });
    const { run } = ledgerOf(cwd).report;
    const before = [branches(cwd), roomsOf(cwd)];
    expect(before).toEqual([[`divisi/${run}`, 'main'], ['2.1']]);
    const unsure = await divisi(['clean', run, '--discard'], { cwd });
    expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining('nothing was discarded')]);
    const dry = await clean(cwd, run, '--discard', '--dry-run');
    expect([branches(cwd), roomsOf(cwd), ledgerOf(cwd).report.status]).toEqual([...before, 'paused']);
    const done = await clean(cwd, run, '--discard', '--yes');
    expect(done.removed).toMatchObject([{ run, branches: [`divisi/${run}`] }]);
    expect({ ...done, dryRun: true }).toEqual(dry);
    expect([branches(cwd), roomsOf(cwd), ledgerOf(cwd).report.status]).toEqual([['main'], [], 'cancelled']);
    expect(existsSync(join(cwd, `.divisi/runs/${run}/summary.md`))).toBe(true);
  });

  it('is refused while it runs, and where its branch is checked out', async () => {
    const cwd = gitProject(folder, { behave: { '1.1': 'hold' } });
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await until(
      () => said(cwd),
      (lines) => lines.includes('start 1.1 1'),
    );
    const { run } = ledgerOf(cwd).report;
    const refused = async (): Promise<string> => (await divisi(['clean', run, '--discard', '--yes'], { cwd })).stderr;
    expect(await refused()).toContain(`${run} is still running [USAGE]`);
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(0);
    gitIn(cwd, 'stash', '--quiet');
    gitIn(cwd, 'switch', '--quiet', `divisi/${run}`);
    expect(await refused()).toContain(`${run} has a branch that is checked out [USAGE]`);
    expect((await divisi(['clean', run], { cwd })).stderr).toContain('belong together [USAGE]');
  });
});

describe('what is left alone', () => {
  it('a run that is paused, and one that is running', async () => {
    const files = { 'other.md': planText({ title: 'Other', waves: [['2.1']] }) };
    const cwd = gitProject(folder, { behave: { '1.1': 'fail', '2.1': 'hold' }, files });
    await divisi(['run', 'plan.md'], { cwd });
    const running = startDivisi(['run', 'other.md'], { cwd });
    await until(
      () => said(cwd),
      (lines) => lines.includes('start 2.1 1'),
    );
    const before = [branches(cwd), roomsOf(cwd)];
    const { removed, kept } = await clean(cwd);
    expect(removed).toEqual([]);
    expect(kept.map(({ why }) => why).toSorted()).toEqual(['in-use', 'not-over']);
    expect([branches(cwd), roomsOf(cwd)]).toEqual(before);
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(0);
  });

  it('a run whose process was killed: it can be resumed', async () => {
    const cwd = gitProject(folder, { behave: { '1.1': ['hang', 'work'] } });
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await until(
      () => said(cwd),
      (lines) => lines.includes('start 1.1 1'),
    );
    running.kill('SIGKILL');
    await running.ended;
    expect((await clean(cwd)).removed).toEqual([]);
    expect((await divisi(['resume'], { cwd })).code).toBe(0);
  });

  it('branches of a run that belongs to another project of the repository', async () => {
    const cwd = gitProject(folder);
    gitIn(cwd, 'branch', 'divisi/run_01ARZ3NDEKTSV4RRFFQ69G5FAV');
    gitIn(cwd, 'branch', 'divisi-task/run_01ARZ3NDEKTSV4RRFFQ69G5FAV/1.1-1');
    gitIn(cwd, 'branch', 'divisi/mine/too');
    expect(await clean(cwd)).toEqual({
      dryRun: false,
      ended: [],
      removed: [],
      kept: [],
      seeds: { count: 0, bytes: 0 },
      bytes: 0,
    });
    expect(branches(cwd)).toHaveLength(4);
  });
});

it('what processes that died left in the repository goes when it is old', async () => {
  const cwd = gitProject(folder);
  const [old, fresh] = ['.git/divisi-index-1-0123456789ab', '.git/divisi-index-2-0123456789ab'].map((name) =>
    join(cwd, name),
  );
  for (const file of [old, fresh]) writeFileSync(file ?? '', '');
  utimesSync(old ?? '', 0, 0);
  await clean(cwd);
  expect([old, fresh].map((file) => existsSync(file ?? ''))).toEqual([false, true]);
});

it('removes folders and attempts of a run that is no longer in the ledger', async () => {
  const cwd = gitProject(folder, { waves: [['1.1'], ['2.1']], behave: { '2.1': 'fail' } });
  const run = await failedRun(cwd);
  for (const end of ['', '-wal', '-shm']) rmSync(`${ledgerFile(cwd)}${end}`, { force: true });
  const { removed, kept } = await clean(cwd);
  expect(removed).toMatchObject([{ run, status: 'unknown', folders: { length: 1 } }]);
  expect(kept).toEqual([{ run, why: 'not-merged' }]);
  expect(roomsOf(cwd)).toEqual([]);
});
