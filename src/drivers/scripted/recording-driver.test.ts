import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driverTask } from '../../../tests/conformance/driver-task.ts';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { commandDriver } from '../command/command-driver.ts';
import type { Driver, DriverTask, Turn } from '../driver.ts';
import { parseScenario } from './parse-scenario.ts';
import { printScenario } from './print-scenario.ts';
import { recordingDriver, startRecording } from './recording-driver.ts';
import type { Scenario } from './scenario.ts';
import { scriptedDriver } from './scripted-driver.ts';

const folder = temporaryFolders();
const key = `ghp_${'a1'.repeat(18)}`;

/** Writes a report and a file, speaks of its ids, is asked once more; its second attempt fails. */
const agent = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
const { TUTTI_REPORT_PATH: report, TUTTI_DELEGATION: id, TUTTI_RUN: run, TUTTI_ATTEMPT, TUTTI_REPAIR } = process.env;
mkdirSync(dirname(report), { recursive: true });
writeFileSync(report, '# ' + id + ' of ' + run + '\\n');
writeFileSync('made.txt', 'key ${key}');
console.log(TUTTI_REPAIR ? 'again ' + report : 'first {{task}} ' + id);
if (TUTTI_ATTEMPT === '2') { console.error('no more ' + id); process.exit(2); }
`;

function worker(): Driver {
  const root = folder({ 'agent.mjs': agent });
  const argv = [process.execPath, join(root, 'agent.mjs')];
  return commandDriver({ name: 'worker', argv, repair: argv, environment: [], own: process.env, project: root });
}

function taskOf(own: Partial<Record<keyof DriverTask, unknown>> = {}): DriverTask {
  return driverTask(join(folder({ 'project/a.txt': 'a' }), 'project'), own);
}

async function converse(driver: Driver, task: DriverTask): Promise<(Turn | null)[]> {
  const conversation = driver.start(task, new AbortController().signal, () => {});
  const first = await conversation.first;
  const turns = first.end === 'returned' ? [first, await conversation.repair('again')] : [first];
  await conversation.close();
  return turns;
}

async function record(): Promise<Scenario> {
  const recording = startRecording();
  const driver = recordingDriver(worker(), recording, { files: () => Promise.resolve(['made.txt']) });
  await converse(driver, taskOf({ attempt: 2, delegation: 'sess_1767225600_bbbbbb' }));
  await converse(driver, taskOf());
  return recording.scenario();
}

describe('a recording', () => {
  it('has the turns in order, without secrets and ids', async () => {
    const write = { '{{report}}': '# {{delegation}} of {{run}}\n', 'made.txt': 'key [redacted:github]' };
    const after = expect.any(Number);
    const message = 'exit code 2: no more {{delegation}}';
    const said = 'first {{braces}}task}} {{delegation}}\n';
    expect(await record()).toEqual({
      tasks: {
        '1.1': [
          {
            turns: [
              { after, write, end: { kind: 'return', text: said } },
              { after, write: {}, end: { kind: 'return', text: 'again {{report}}\n' } },
            ],
          },
          { turns: [{ after, write, end: { kind: 'fail', cause: 'exit', message, said } }] },
        ],
      },
    });
  });

  it('plays again as it went, in another run', async () => {
    const scenario = parseScenario(printScenario(await record()), 'scenario.yaml');
    const replay = scriptedDriver({ name: 'replay', scenario });
    for (const attempt of [1, 2]) {
      const ids = {
        attempt,
        delegation: 'sess_1767225601_cccccc',
        run: 'run_01KDVDNZ00FQ3T9Q6SHZ1YR7WN',
        reportPath: 'r/x.md',
      };
      const [played, real] = [taskOf(ids), taskOf(ids)];
      expect(await converse(replay, played)).toEqual(await converse(worker(), real));
      const report = (task: DriverTask): string => readFileSync(join(task.directory, 'r', 'x.md'), 'utf8');
      expect(report(played)).toBe(report(real));
    }
  });

  it('does not follow a link out of the directory', async () => {
    const outside = folder({ 'secret.txt': 'secret' });
    const task = taskOf();
    symlinkSync(outside, join(task.directory, 'out'));
    symlinkSync(join(outside, 'secret.txt'), join(task.directory, 'file.txt'));
    const recording = startRecording();
    const inner = scriptedDriver({ name: 'a', scenario: parseScenario('default: [{ turns: [{ return: y }] }]', 'a') });
    const files = (): Promise<string[]> => Promise.resolve(['out/secret.txt', 'file.txt', '../a', 'none', 'a.txt']);
    await converse(recordingDriver(inner, recording, { files }), task);
    expect(recording.scenario().tasks['1.1']?.[0]?.turns[0]?.write).toEqual({ 'a.txt': 'a' });
  });
});
