/** `divisi update`: a run takes over a newer base and newer settings, whether a process works on it or not. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/output.ts';
import {
  changedOn,
  commitsOf,
  divisiTo,
  git,
  gitProject,
  type GitSample,
  put,
  runBranchOf,
  seenBy,
  startsIn,
} from '../support/git-project.ts';
import { divisi } from '../support/divisi.ts';
import { ledgerOf } from '../support/project.ts';
import { startDivisi } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const project = (sample: GitSample): string => gitProject(folder(), sample);
const config = (cwd: string, lines: string): void => put(cwd, { '.divisi/config.yaml': `grace: 1\n${lines}` });
const kindsOf = (cwd: string): string[] => ledgerOf(cwd).events.map(({ kind }) => kind);

describe.concurrent('a run that rests', patient, () => {
  it('whose set-up command was wrong completes after the config is fixed', async () => {
    const cwd = project({ acts: { '1.1': [{ exits: 1 }, { exits: 1 }, { write: { '1.1.txt': 'x' } }] } });
    await divisiTo(exitCodes.needsAnswer, cwd, 'run', 'plan.md');
    config(cwd, 'workspace:\n  setup: [[sh, -c, exit 4]]\n');
    await divisiTo(0, cwd, 'update');
    await divisiTo(0, cwd, 'approve');
    const asked = await divisiTo(exitCodes.needsAnswer, cwd, 'resume');
    expect(asked).toContain(
      'failed (exit code 4); fix what it needs, or the config and `divisi update`; then approve to retry\n',
    );
    expect(asked).toMatch(/ {2}or: divisi update run_\w+ {4}take over a corrected config or a newer commit first\n/);
    const summary = join(cwd, '.divisi/runs', ledgerOf(cwd).report.run, 'summary.md');
    expect(readFileSync(summary, 'utf8')).toMatch(/ {2}- or: divisi update run_\w+: take over a corrected config/);
    expect(await divisiTo(0, cwd, 'update')).toMatch(/^run_\w+ is already up to date\.\n$/);
    config(cwd, 'workspace:\n  setup: [[sh, -c, "echo made > made.txt"]]\n  timeout: 30\n');
    const said = await divisiTo(0, cwd, 'update', '--config-only');
    expect(said).toMatch(/^run_\w+ updated\.\n {2}branch +as it was\n {2}settings +changed: setup, timeout\n/);
    expect(said).toMatch(
      /`divisi approve run_\w+` answers checkpoint-\d; then `divisi resume run_\w+` continues it\.\n$/,
    );
    await divisiTo(0, cwd, 'approve');
    await divisiTo(0, cwd, 'resume');
    expect(seenBy(cwd, '1.1', 4)).toContain('made.txt');
    expect(commitsOf(cwd)).toHaveLength(1);
  });

  it('gets the commit that is checked out as one merge; what starts later has it, and what it touches is verified again', async () => {
    const cwd = project({
      waves: [[{ id: '1.1', accept: '`grep -q one src/a.txt`' }, '1.2'], ['2.1']],
      acts: { '1.1': { append: { 'src/a.txt': 'six\n' } }, '1.2': { exits: 1 } },
    });
    await divisiTo(exitCodes.needsAnswer, cwd, 'run', 'plan.md');
    put(cwd, { 'new.txt': 'new\n', 'src/a.txt': 'one\n2\nthree\nfour\nfive\n' });
    git(cwd, 'add', 'new.txt', 'src/a.txt');
    git(cwd, 'commit', '--quiet', '--message', 'Newer');
    const said = await divisiTo(0, cwd, 'update');
    const head = git(cwd, 'rev-parse', 'HEAD');
    expect(said).toMatch(new RegExp(`branch +2 files from ${head.slice(0, 10)} as \\w{10}: new\\.txt, src/a\\.txt`));
    expect(said).toMatch(/verified again +1\.1\n/);
    expect(git(cwd, 'log', '-1', '--format=%P %(trailers:key=Divisi-Update,valueonly)', runBranchOf(cwd))).toContain(
      `${head} update-1`,
    );
    expect(await divisiTo(0, cwd, 'update')).toContain('already up to date');
    await divisiTo(0, cwd, 'reject');
    await divisiTo(exitCodes.failed, cwd, 'resume');
    expect(git(cwd, 'show', `${runBranchOf(cwd)}:src/a.txt`)).toBe('one\n2\nthree\nfour\nfive\nsix');
    expect(startsIn(cwd).filter((start) => start.startsWith('1.1'))).toEqual(['1.1 1']);
    // The difference to the new base is the run's own.
    expect(changedOn(cwd)).not.toContain('A new.txt');
    expect(ledgerOf(cwd).report.workspace).toMatchObject({ base: head, foreign: 0 });
  });

  it('does work again that the newer base breaks', async () => {
    const cwd = project({
      waves: [[{ id: '1.1', accept: '`sh check.sh`' }, '1.2']],
      files: { 'check.sh': 'grep -q six src/a.txt\n' },
      acts: { '1.1': { append: { 'src/a.txt': 'six\n' } }, '1.2': { exits: 1 } },
    });
    await divisiTo(exitCodes.needsAnswer, cwd, 'run', 'plan.md');
    put(cwd, { 'check.sh': 'grep -c six src/a.txt | grep -q 2\n', 'src/a.txt': '1\ntwo\nthree\nfour\nfive\n' });
    git(cwd, 'commit', '--quiet', '--message', 'Stricter', '--', 'check.sh', 'src/a.txt');
    expect(await divisiTo(0, cwd, 'update')).toMatch(
      /done again +1\.1: it no longer passes verification: .*sh check\.sh/,
    );
    await divisiTo(0, cwd, 'reject');
    const resumed = await divisiTo(exitCodes.failed, cwd, 'resume');
    expect(resumed).toContain('reopened (it no longer passes verification');
    expect(startsIn(cwd).filter((start) => start.startsWith('1.1'))).toEqual(['1.1 1', '1.1 2']);
  });

  it('is left alone where the commit conflicts, names the files, and takes no update when it is over', async () => {
    const cwd = project({
      waves: [['1.1', '1.2']],
      acts: { '1.1': { write: { 'src/a.txt': 'agent\n' } }, '1.2': { exits: 1 } },
    });
    await divisiTo(exitCodes.needsAnswer, cwd, 'run', 'plan.md');
    const before = git(cwd, 'rev-parse', runBranchOf(cwd));
    put(cwd, { 'src/a.txt': 'person\n' });
    git(cwd, 'commit', '--quiet', '--message', 'Mine', '--', 'src/a.txt');
    const refused = await divisi(['update'], { cwd });
    expect(refused.code).toBe(exitCodes.usage);
    expect(refused.stderr).toMatch(/was not updated: \w{10} conflicts with its work in src\/a\.txt \[UPDATE_REFUSED\]/);
    expect(git(cwd, 'rev-parse', runBranchOf(cwd))).toBe(before);
    expect(kindsOf(cwd)).not.toContain('update.requested');
    await divisiTo(0, cwd, 'cancel');
    const over = await divisi(['update', '--json'], { cwd });
    expect(JSON.parse(over.stdout)).toMatchObject({ ok: false, error: { code: 'RUN_ENDED' } });
  });

  it('killed between the merge and its record, has it once: the next command finds it', async () => {
    const cwd = project({
      waves: [[{ id: '1.1', accept: '`sh check.sh`' }, '1.2'], ['2.1']],
      files: { 'check.sh': 'true\n' },
      acts: { '1.1': { append: { 'src/a.txt': 'six\n' } }, '1.2': { exits: 1 } },
    });
    await divisiTo(exitCodes.needsAnswer, cwd, 'run', 'plan.md');
    const gate = join(cwd, '../agent/gate');
    put(cwd, { 'check.sh': `touch ${gate}\nsleep 0.2; exit 0\n`, 'src/a.txt': '1\ntwo\nthree\nfour\nfive\n' });
    git(cwd, 'commit', '--quiet', '--message', 'Newer', '--', 'check.sh', 'src/a.txt');
    const updating = startDivisi(['update'], { cwd });
    await until(() => existsSync(gate), Boolean);
    updating.kill('SIGKILL');
    await updating.ended;
    const merges = (): string[] => git(cwd, 'log', '--merges', '--format=%H', runBranchOf(cwd)).split('\n');
    expect(kindsOf(cwd).slice(-1)).toEqual(['update.requested']);
    const made = merges();
    expect(made).toHaveLength(1);
    await divisiTo(0, cwd, 'reject');
    const resumed = await divisiTo(exitCodes.failed, cwd, 'resume');
    expect(resumed).toContain(`updated: 2 files merged as ${made[0]?.slice(0, 10) ?? ''}`);
    expect(resumed).not.toContain('that no task made');
    expect(merges()).toEqual(made);
    expect(seenBy(cwd, '2.1')).toContain('check.sh');
  });

  it('in a folder without git gets the folder as it is now', async () => {
    const cwd = project({ waves: [['1.1', '1.2'], ['2.1']], acts: { '1.2': { exits: 1 } } });
    rmSync(join(cwd, '.git'), { recursive: true });
    await divisiTo(exitCodes.needsAnswer, cwd, 'run', 'plan.md');
    expect(await divisiTo(0, cwd, 'update')).toContain('already up to date');
    put(cwd, { 'new.txt': 'new\n' });
    expect(await divisiTo(0, cwd, 'update')).toMatch(/branch +2 files from \w{10} as \w{10}: new\.txt, plan\.md\n/);
    expect(await divisiTo(0, cwd, 'update')).toContain('already up to date');
    await divisiTo(0, cwd, 'reject');
    await divisiTo(exitCodes.failed, cwd, 'resume', '--skip-failed');
    expect(await divisiTo(0, cwd, 'merge', '--yes')).not.toContain('new.txt');
    expect(existsSync(join(cwd, '1.1.txt'))).toBe(true);
  });
});

it('a running run takes it over between two merges; agents at work keep what they have', patient, async () => {
  const cwd = project({
    waves: [['1.1'], ['2.1']],
    acts: {
      '1.1': {
        run: [['sh', '-c', 'while ! test -f "$HOME/../agent/go"; do sleep 0.05; done']],
        write: { '1.1.txt': 'x' },
      },
    },
    config: 'grace: 1\nworkspace:\n  copy: [mine.cfg]\n',
  });
  put(cwd, { 'mine.cfg': 'A=1\n', 'other.cfg': 'A=2\n' });
  const run = startDivisi(['run', 'plan.md'], { cwd });
  await until(
    () => startsIn(cwd),
    (starts) => starts.includes('1.1 1'),
  );
  put(cwd, { 'new.txt': 'new\n' });
  git(cwd, 'add', 'new.txt');
  git(cwd, 'commit', '--quiet', '--message', 'Newer', '--', 'new.txt');
  config(cwd, 'workspace:\n  copy: [other.cfg]\n');
  expect(await divisiTo(0, cwd, 'update')).toMatch(
    /^run_\w+ is running: its process takes this over before the next merge\./,
  );
  await until(
    () => kindsOf(cwd),
    (kinds) => kinds.includes('workspace.updated'),
  );
  put(join(cwd, '../agent'), { go: '' });
  const { code, stdout } = await run.ended;
  expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' });
  expect(stdout).toMatch(/\nupdated: 1 file merged as \w{10}, settings as in the config\n/);
  expect(seenBy(cwd, '1.1')).not.toEqual(expect.arrayContaining(['new.txt']));
  expect(seenBy(cwd, '2.1')).toEqual(expect.arrayContaining(['1.1.txt', 'new.txt', 'other.cfg']));
  expect(seenBy(cwd, '2.1')).not.toContain('mine.cfg');
  // What the first room was given is no work, although later rooms are given something else.
  expect(changedOn(cwd)).toEqual(['A 1.1.txt', 'A 2.1.txt']);
});

it('agents that a running run starts later have the drivers of the newer config', patient, async () => {
  const worker = (tag: string): string =>
    `  own: { kind: command, argv: [sh, work.sh, ${tag}], review: [sh, review.sh] }\n`;
  const plan = ['# Plan: Sample', '', '## Wave 1: A', '', '- [ ] 1.1 One', '', '## Wave 2: B', '', '- [ ] 2.1 Two', ''];
  const cwd = project({
    config: `grace: 1\ndriver: own\ndrivers:\n${worker('old')}`,
    files: {
      'work.sh':
        'touch "$HOME/../agent/at-$DIVISI_TASK"\nwhile test "$DIVISI_TASK" = 1.1 && ! test -f "$HOME/../agent/go"; do sleep 0.05; done\necho "$1" > "$DIVISI_TASK.txt"\n',
      'review.sh': 'echo "# Review" > "$DIVISI_REPORT_PATH"\necho "LOW|nothing-to-do|$DIVISI_REPORT_PATH"\n',
    },
  });
  put(cwd, { 'plan.md': plan.join('\n') });
  const run = startDivisi(['run', 'plan.md'], { cwd });
  await until(() => existsSync(join(cwd, '../agent/at-1.1')), Boolean);
  config(cwd, 'drivers: { own: [] }\n');
  expect((await divisi(['update', '--config-only'], { cwd })).stderr).toContain('[CONFIG_INVALID]');
  config(cwd, `driver: own\ndrivers:\n${worker('new')}`);
  expect(await divisiTo(0, cwd, 'update', '--config-only')).toMatch(
    /is running: .*\n {2}branch +as it was\n {2}settings +as they were; agents that start later have the drivers, tiers and limits of the config\n/,
  );
  await until(
    () => kindsOf(cwd),
    (kinds) => kinds.includes('workspace.updated'),
  );
  put(join(cwd, '../agent'), { go: '' });
  const { code, stdout } = await run.ended;
  expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' });
  const merged = ['1.1', '2.1'].map((task) => git(cwd, 'show', `${runBranchOf(cwd)}:${task}.txt`));
  expect(merged).toEqual(['old', 'new']);
});
