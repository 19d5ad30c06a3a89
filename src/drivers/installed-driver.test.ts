import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driverTask } from '../../tests/conformance/driver-task.ts';
import { fakePrograms } from '../../tests/support/fake-programs.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { acpSettings, oneShotSettings } from '../config/client-settings.ts';
import { acpDriverFrom, oneShotDriverFrom } from './client-driver.ts';
import type { Driver, DriverTask, Turn } from './driver.ts';
import { stateFolder } from '../workspace/places.ts';
import { makeStateFolder } from '../workspace/state-folder.ts';

const folder = temporaryFolders();
const system = dirname(process.execPath);

interface Ground {
  readonly project: string;
  readonly bin: string;
  readonly task: DriverTask;
}

/** A project, a folder of the PATH with these programs, and a folder of the task with others of the same names. */
function ground(names: readonly string[]): Ground {
  const project = folder();
  const says = (what: string): string => `echo ${what} >> '${project}/ran'; exit 3`;
  const scripts = (what: string): Record<string, string> => Object.fromEntries(names.map((name) => [name, says(what)]));
  const work = fakePrograms(join(project, 'work'), scripts('planted'));
  return { project, bin: fakePrograms(join(project, 'bin'), scripts('installed')), task: driverTask(work) };
}

const ranIn = (project: string): string => readFileSync(join(project, 'ran'), 'utf8');

async function firstOf(driver: Driver, task: DriverTask): Promise<Turn> {
  const { first, close } = driver.start(task, new AbortController().signal, () => {});
  const turn = await first;
  await close();
  return turn;
}

type Way = (own: object, project: string, path: string) => Driver;

const ways: readonly (readonly [string, string, Way])[] = [
  [
    'over ACP',
    'codex-acp',
    (own, project, PATH) =>
      acpDriverFrom('it', acpSettings.parse({ kind: 'acp', profile: 'codex', ...own }), {
        project,
        environment: { PATH, DIVISI_STATE: process.env['DIVISI_STATE'] },
      }),
  ],
  [
    'one-shot',
    'codex',
    (own, project, PATH) =>
      oneShotDriverFrom('it', oneShotSettings.parse({ kind: 'one-shot', profile: 'codex', ...own }), {
        project,
        environment: { PATH, DIVISI_STATE: process.env['DIVISI_STATE'] },
      }),
  ],
];

describe.each(ways)('a program %s', (_, name, make) => {
  it('is the one on the PATH, although one of its name is in the folder of the task', async () => {
    const { project, bin, task } = ground([name]);
    expect(await firstOf(make({}, project, `.:${bin}:/usr/bin:/bin`), task)).toMatchObject({ end: 'failed' });
    expect(ranIn(project)).toBe('installed\n');
  });

  it('is not started where only the folder of the task has it, and says how to get it', async () => {
    const { project, task } = ground([name]);
    const driver = make({}, project, `.::/usr/bin:/bin`);
    expect(await firstOf(driver, task)).toEqual({
      end: 'failed',
      cause: 'not-started',
      isMissing: true,
      message: expect.stringMatching(
        `^Codex: ${name} was not found on the PATH. To install it: npm install -g @openai/codex`,
      ),
      said: '',
    });
    expect(existsSync(join(project, 'ran'))).toBe(false);
    expect(await driver.recover(task)).toBeNull();
  });

  it('is that of the project where the config names it by a path', async () => {
    const { project, task } = ground(['agent.sh']);
    const own = { argv: ['./bin/agent.sh'] };
    await firstOf(make(own, project, '/usr/bin:/bin'), task);
    expect(ranIn(project)).toBe('installed\n');
    chmodSync(join(project, 'bin', 'agent.sh'), 0o600);
    expect(await firstOf(make(own, project, '/usr/bin:/bin'), task)).toMatchObject({
      cause: 'not-started',
      message: expect.stringContaining('./bin/agent.sh does not exist, or this user may not execute it'),
    });
  });

  it('is looked for where the config says', async () => {
    const { project, bin, task } = ground([name]);
    await firstOf(make({ variables: { PATH: `${bin}:/usr/bin:/bin` } }, project, '/usr/bin:/bin'), task);
    expect(ranIn(project)).toBe('installed\n');
  });

  it('is looked for when it is started', async () => {
    const { project, bin, task } = ground([]);
    const driver = make({}, project, `${bin}:/usr/bin:/bin`);
    fakePrograms(bin, { [name]: `echo late >> '${project}/ran'; exit 3` });
    await firstOf(driver, task);
    expect(ranIn(project)).toBe('late\n');
  });

  it('has its home before it starts, readable by the user alone', async () => {
    const { project, bin, task } = ground([]);
    fakePrograms(bin, { [name]: `cd "$HOME" && pwd >> '${project}/ran'; exit 3` });
    await firstOf(make({ home: 'isolated' }, project, `${bin}:/usr/bin:/bin`), task);
    const home = join(stateFolder(project), 'homes', 'it');
    expect(ranIn(project)).toBe(`${home}\n`);
    expect([home, dirname(home), stateFolder(project)].map((one) => statSync(one).mode & 0o777)).toEqual([
      0o700, 0o700, 0o700,
    ]);
    expect(existsSync(join(project, '.divisi'))).toBe(false);
  });

  it('has no home that is elsewhere', async () => {
    const { project, bin, task } = ground([name]);
    const outside = folder();
    symlinkSync(outside, join(makeStateFolder(project), 'homes'));
    const turn = await firstOf(make({ home: 'isolated' }, project, `${bin}:/usr/bin:/bin`), task);
    expect(turn).toMatchObject({
      cause: 'not-started',
      message: expect.stringMatching(/^Codex: .*leads out of the project through a symlink$/),
    });
    expect(existsSync(join(project, 'ran'))).toBe(false);
  });

  it('is not started when that was cancelled, or closed, before', async () => {
    const { project, bin, task } = ground([name]);
    const driver = make({}, project, `${bin}:${system}`);
    const cancelled = driver.start(task, AbortSignal.abort(), () => {});
    expect(await cancelled.first).toEqual({ end: 'cancelled', said: '' });
    const closed = driver.start(task, new AbortController().signal, () => {});
    await closed.close();
    expect(await closed.first).toEqual({ end: 'cancelled', said: '' });
    expect(existsSync(join(project, 'ran'))).toBe(false);
  });
});
