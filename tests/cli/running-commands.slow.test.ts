/** Which command a run is at, as `divisi status` tells it from another terminal. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { objectOf } from '../../src/base/json-value.ts';
import { canReadProcesses } from '../../src/process/process-stat.ts';
import { divisi } from '../support/divisi.ts';
import { gitProject } from '../support/git-project.ts';
import { ledgerOf } from '../support/project.ts';
import { processesIn, startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

it.skipIf(!canReadProcesses)(
  'set-up and acceptance commands are named while they run',
  { timeout: 120_000 },
  async () => {
    const place = folder();
    const [ready, green] = [join(place, 'ready'), join(place, 'green')];
    const cwd = gitProject(place, {
      waves: [['1.1']],
      settings: ['Reviews: off'],
      config: `grace: 1\nworkspace:\n  setup: [[sh, wait.sh, ${ready}]]\n  accept: [[sh, wait.sh, ${green}, once]]\n`,
      files: { 'wait.sh': 'while [ ! -e "$1" ]; do sleep 0.1; done\n[ -z "$2" ] || rm "$1"\n' },
    });
    const commands = async (): Promise<unknown> => {
      const { stdout } = await divisi(['status', '--json'], { cwd });
      return objectOf(JSON.parse(stdout))['commands'];
    };
    const running = startDivisi(['run', 'plan.md'], { cwd });
    const wait = async (expected: object): Promise<void> => {
      await expect.poll(commands, { timeout: 60_000 }).toEqual([{ ...expected, since: expect.any(Number) }]);
    };
    await until(
      () => running.stdout(),
      (seen) => seen.includes('1 task'),
    );
    await wait({ purpose: 'set-up', command: `sh wait.sh ${ready}` });
    expect((await divisi(['status'], { cwd })).stdout).toMatch(/\n {2}setting up: sh wait\.sh \S+ready \(\d+.*s\)\n/);
    writeFileSync(ready, '');
    await wait({ purpose: 'canary', command: `sh wait.sh ${green} once` });
    writeFileSync(green, '');
    await wait({ purpose: 'acceptance', task: '1.1', command: `sh wait.sh ${green} once` });
    // The run may still record what came before the command.
    let events = 0;
    const isQuiet = (): boolean => events === (events = ledgerOf(cwd).events.length);
    await expect.poll(isQuiet, { timeout: 60_000, interval: 1000 }).toBe(true);
    expect((await divisi(['status'], { cwd })).stdout).toMatch(
      /\n {2}1\.1 verifying: sh wait\.sh \S+green once \(\d+.*s\)\n/,
    );
    expect(ledgerOf(cwd).events).toHaveLength(events);
    running.kill('SIGKILL');
    await running.ended;
    for (const pid of processesIn(cwd, 'wait.sh')) process.kill(pid, 'SIGKILL');
    await expect.poll(commands, { timeout: 60_000 }).toEqual([]);
  },
);
