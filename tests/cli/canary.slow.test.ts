/** Acceptance commands at the base of a run, with real rooms: what is red there is not the agents' fault. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  changedOn,
  commitAll,
  divisiTo,
  gitProject,
  type GitSample,
  startsIn,
  verdictsOf,
  verificationsOf,
} from '../support/git-project.ts';
import { ledgerOf } from '../support/project.ts';
import { startDivisi } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import type { BaseCheck } from '../../src/core/event/base-check.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const project = (sample: GitSample): string => gitProject(folder(), sample);

/** Each command beside the project, so that it is no part of the work. */
const config = (...commands: string[]): string =>
  `grace: 1\nworkspace:\n  setup: []\n  accept: [${commands.map((line) => `[sh, -c, ${JSON.stringify(line)}]`).join(', ')}]\n`;

const basesOf = (cwd: string): BaseCheck[] =>
  ledgerOf(cwd).events.flatMap((event) => (event.kind === 'base.checked' ? [event.check] : []));
const openedIn = (cwd: string): string[] =>
  ledgerOf(cwd).events.flatMap((event) => (event.kind === 'checkpoint.opened' ? [event.type] : []));

/** One line for each file in `bad`: the failures of the project. */
const failing = 'ls bad 2>/dev/null | sed "s/^/Error: broken /"; test -z "$(ls bad 2>/dev/null)"';

describe.concurrent('a command of the config that is red at the base', patient, () => {
  it('is asked about once; continued, it rejects work only for a failure that the base does not have', async () => {
    const cwd = project({
      config: config(failing),
      files: { 'bad/old': 'x\n' },
      waves: [['1.1', '1.2'], ['2.1']],
      acts: {
        '1.2': [
          { write: { '1.2.txt': 'x', 'bad/new': 'x' } },
          { run: [['rm', '-r', 'bad/new']], claims: { '1.2.txt': 'create' } },
        ],
      },
    });
    const asked = await divisiTo(5, cwd, 'run', 'plan.md');
    expect(asked).toContain('checkpoint-1 needs you: before any agent has worked, `sh -c ');
    expect(asked).toContain('exit code 1: Error: broken old');
    expect(asked).toMatch(/or: divisi update run_\w+ /);
    expect(verdictsOf(cwd, '1.1')).toEqual([]);
    await divisiTo(0, cwd, 'approve');
    const done = await divisiTo(0, cwd, 'resume');
    expect(openedIn(cwd)).toEqual(['base']);
    expect(verdictsOf(cwd, '1.1')).toEqual(['verified']);
    expect(verdictsOf(cwd, '1.2').map((verdict) => verdict.split(' ')[0])).toEqual(['rejected', 'verified']);
    expect(verificationsOf(cwd, '1.2')[0]?.findings[0]?.fact).toContain('broken new');
    expect(verificationsOf(cwd, '1.1')[0]?.commands).toMatchObject([{ ok: false, note: 'known-red' }]);
    expect(done).toContain('1.1 completed');
    expect(done).toContain('checks 0/1 (1 known-red)');
    expect(done).toContain('wave-1 checks on the merged work fail as at the base: ');
    expect(done).toMatch(/canary: .*fails at the base .*; known-red/);
    expect(await divisiTo(0, cwd, 'status')).toMatch(/canary: .*; known-red/);
    expect(startsIn(cwd).filter((start) => !start.includes(':'))).toHaveLength(4);
  });

  it('stops the run on a no, and where nobody is asked', async () => {
    const [cwd, alone] = [0, 1].map(() => project({ config: config(failing), files: { 'bad/old': 'x\n' } })) as [
      string,
      string,
    ];
    await divisiTo(5, cwd, 'run', 'plan.md');
    await divisiTo(0, cwd, 'reject');
    expect(ledgerOf(cwd).report.status).toBe('cancelled');
    const said = await divisiTo(4, alone, 'run', 'plan.md', '--on-trouble', 'reject');
    expect(said).toContain(
      'rejected without a person (--on-trouble reject): checkpoint-1: before any agent has worked',
    );
    expect(ledgerOf(alone).report.status).toBe('cancelled');
  });

  it('is checked again after an update, and not asked about where that has fixed it', async () => {
    const cwd = project({ config: config(failing), files: { 'bad/old': 'x\n' } });
    await divisiTo(5, cwd, 'run', 'plan.md');
    rmSync(join(cwd, 'bad'), { recursive: true });
    commitAll(cwd, 'Repaired');
    await divisiTo(0, cwd, 'update');
    await divisiTo(0, cwd, 'resume');
    expect(basesOf(cwd).map(({ result }) => result)).toEqual(['red', 'green']);
    expect(openedIn(cwd)).toEqual(['base']);
    expect(verdictsOf(cwd, '1.1')).toEqual(['verified']);
    // Its room has the base from before.
    expect(verificationsOf(cwd, '1.1')[0]?.commands).toMatchObject([{ ok: false, note: 'known-red' }]);
  });

  it('is not asked about again by the process after one that was killed in the middle', async () => {
    const cwd = project({
      config: config(`sleep 1; ${failing}`),
      files: { 'bad/old': 'x\n' },
    });
    const first = startDivisi(['run', 'plan.md'], { cwd });
    await until(() => existsSync(join(cwd, '.divisi/runs')) && first.stdout().includes('1.1 started'), Boolean);
    first.kill('SIGKILL');
    await first.ended;
    expect(basesOf(cwd)).toEqual([]);
    await divisiTo(5, cwd, 'resume');
    await divisiTo(0, cwd, 'approve');
    await divisiTo(0, cwd, 'resume');
    expect([basesOf(cwd).length, openedIn(cwd)]).toEqual([1, ['base']]);
  });
});

describe.concurrent('a task’s own command', patient, () => {
  it('may be red at the base, and must be green on the work', async () => {
    const cwd = project({
      waves: [[{ id: '1.1', accept: 'run: test -f made.txt' }]],
      acts: { '1.1': [{ write: { 'x.txt': 'x' } }, { write: { 'made.txt': 'x' } }] },
    });
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(basesOf(cwd)).toMatchObject([{ result: 'red', from: 'plan' }]);
    expect(verdictsOf(cwd, '1.1').map((verdict) => verdict.split(' ')[0])).toEqual(['rejected', 'degraded']);
    expect(openedIn(cwd)).toEqual([]);
  });

  it('that misses its program at the base too says nothing about the work; one that the work has broken does', async () => {
    const cwd = project({
      files: { 'tools/check.sh': 'exit 0\n' },
      waves: [
        [
          { id: '1.1', accept: 'run: no-such-program --all' },
          { id: '1.2', accept: 'run: sh tools/check.sh' },
        ],
      ],
      acts: { '1.2': [{ write: { 'tools/check.sh': 'no-such-tool\n' } }, { write: { 'tools/check.sh': 'exit 0\n' } }] },
    });
    const said = await divisiTo(5, cwd, 'run', 'plan.md');
    expect(basesOf(cwd)).toMatchObject([
      { argv: ['no-such-program', '--all'], result: 'environment', missing: 'no-such-program' },
      { result: 'green' },
    ]);
    expect(said).toMatch(/1\.1: environment: `no-such-program --all` cannot run in a room .*`divisi update`/);
    expect(startsIn(cwd).filter((start) => start.startsWith('1.1 '))).toEqual(['1.1 1']);
    expect(verdictsOf(cwd, '1.2')[0]).toMatch(/^rejected /);
  });

  it('that misses a built file at the base too says nothing about the work', async () => {
    const cwd = project({
      files: { '.gitignore': 'dist/\n', 'test/a.js': "require('../dist/a.js');\n" },
      waves: [[{ id: '1.1', accept: 'run: node test/a.js' }]],
    });
    const said = await divisiTo(5, cwd, 'run', 'plan.md');
    expect(basesOf(cwd)).toMatchObject([{ result: 'environment', missing: 'dist/a.js' }]);
    expect(said).toMatch(/1\.1: environment: `node test\/a\.js` cannot run in a room .*`divisi update`/);
    expect(said).toMatch(/or: cd "\$\(divisi path run_\w+\/1\.1\)" /);
    expect(startsIn(cwd).filter((start) => start.startsWith('1.1 '))).toEqual(['1.1 1']);
  });

  it('that fails once and passes then is flaky, and the work is accepted', async () => {
    const cwd = project({ waves: [[{ id: '1.1', accept: 'run: sh flaky.sh' }]], files: { 'flaky.sh': flaky } });
    const said = await divisiTo(0, cwd, 'run', 'plan.md');
    expect(said).toContain('1.1 completed');
    expect(verdictsOf(cwd, '1.1')).toEqual(['degraded flaky']);
    expect(verificationsOf(cwd, '1.1')[0]?.commands).toMatchObject([{ ok: true, note: 'flaky' }]);
    expect(changedOn(cwd)).toEqual(['A 1.1.txt']);
  });

  it('is not run at the base again by the next run from there', async () => {
    const cwd = project({
      waves: [[{ id: '1.1', accept: 'run: test -f made.txt' }]],
      acts: { '1.1': { write: { 'made.txt': 'x' } } },
    });
    const plan = readFileSync(join(cwd, 'plan.md'), 'utf8');
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(basesOf(cwd)[0]?.isCached).toBeUndefined();
    writeFileSync(join(cwd, 'again.md'), plan.replace('Sample', 'Another'));
    await divisiTo(0, cwd, 'run', 'again.md');
    expect(basesOf(cwd)).toMatchObject([{ result: 'red', isCached: true }]);
  });
});

/** Fails on the work the first time only: the base has no file of the task. */
const flaky =
  'test -f 1.1.txt || exit 0\ntest -f .divisi/runs/seen && exit 0\nmkdir -p .divisi/runs\ntouch .divisi/runs/seen\nexit 1\n';

it('names a program that loads project files from outside its room', patient, async () => {
  const cwd = project({});
  const open = `node -e 'require("fs").openSync("${cwd}/src/a.txt"); setTimeout(() => {}, 500)'`;
  const trace = `echo "    at load (${cwd}/README.md:1:2)"`;
  writeFileSync(join(cwd, '.divisi/config.yaml'), config(open, trace));
  const said = await divisiTo(0, cwd, 'run', 'plan.md');
  expect(
    basesOf(cwd)
      .flatMap(({ outside = [] }) => outside)
      .toSorted(),
  ).toEqual(['README.md', 'src/a.txt']);
  expect(said).toContain('loads project files from outside its room: src/a.txt');
  expect(verdictsOf(cwd, '1.1')).toEqual(['degraded outside-room outside-room']);
});
