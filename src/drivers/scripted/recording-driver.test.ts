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

/** Writes a report and a file, speaks of its ids, is asked once more; its second attempt fails, its third meets a limit. */
const agent = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
const { DIVISI_REPORT_PATH: report, DIVISI_DELEGATION: id, DIVISI_RUN: run, DIVISI_ATTEMPT, DIVISI_REPAIR } = process.env;
writeFileSync(process.env.DIVISI_USAGE_FILE, JSON.stringify({ tokens: 20, cost: 1e-7 }));
mkdirSync(dirname(report), { recursive: true });
writeFileSync(report, '# ' + id + ' of ' + run + '\\n');
writeFileSync('made.txt', 'key ${key}');
console.log(DIVISI_REPAIR ? 'again ' + report : 'first {{task}} ' + id);
if (DIVISI_ATTEMPT === '2') { console.error('no more ' + id); process.exit(2); }
if (DIVISI_ATTEMPT === '3') { console.error('retry after 1 h'); process.exit(75); }
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
  await converse(driver, taskOf({ attempt: 3, delegation: 'sess_1767225600_dddddd' }));
  await converse(driver, taskOf({ attempt: 2, delegation: 'sess_1767225600_bbbbbb' }));
  await converse(driver, taskOf());
  return recording.scenario();
}

/** Each has a time of its own, so that it only matters whether it is known. */
function withoutTime(turns: readonly (Turn | null)[]): unknown[] {
  return turns.map((turn) => ({ ...turn, until: turn !== null && 'until' in turn }));
}

describe('a recording', () => {
  it('has the turns in order, without secrets and ids', async () => {
    const write = { '{{report}}': '# {{delegation}} of {{run}}\n', 'made.txt': 'key [redacted:github]' };
    const after = expect.any(Number);
    const usage = { tokens: 20, cost: 1e-7 };
    const message = 'exit code 2: no more {{delegation}}';
    const limit = { cause: 'quota', retryAfter: 3600, message: 'exit code 75: retry after 1 h' };
    const said = 'first {{braces}}task}} {{delegation}}\n';
    expect(await record()).toEqual({
      tasks: {
        '1.1': [
          {
            turns: [
              { after, write, usage, end: { kind: 'return', text: said } },
              { after, write: {}, usage, end: { kind: 'return', text: 'again {{report}}\n' } },
            ],
          },
          { turns: [{ after, write, usage, end: { kind: 'fail', cause: 'exit', message, said } }] },
          { turns: [{ after, write, usage, end: { kind: 'fail', ...limit, said } }] },
        ],
      },
    });
  });

  it('is printed with the numbers of a usage, and without where they are from', () => {
    const usage = { tokens: 20, source: 'its last event', isPartial: true } as const;
    const turn = { after: 0, write: {}, usage, end: { kind: 'return', text: 'x' } } as const;
    const printed = printScenario({ tasks: { '1.1': [{ turns: [turn] }] } });
    expect(parseScenario(printed, 'scenario.yaml').tasks['1.1']?.[0]?.turns[0]?.usage).toEqual({ tokens: 20 });
  });

  it('plays again as it went, in another run', async () => {
    const scenario = parseScenario(printScenario(await record()), 'scenario.yaml');
    const replay = scriptedDriver({ name: 'replay', scenario });
    for (const attempt of [1, 2, 3]) {
      const ids = {
        attempt,
        delegation: 'sess_1767225601_cccccc',
        run: 'run_01KDVDNZ00FQ3T9Q6SHZ1YR7WN',
        reportPath: 'r/x.md',
      };
      const [played, real] = [taskOf(ids), taskOf(ids)];
      expect(withoutTime(await converse(replay, played))).toEqual(withoutTime(await converse(worker(), real)));
      const report = (task: DriverTask): string => readFileSync(join(task.directory, 'r', 'x.md'), 'utf8');
      expect(report(played)).toBe(report(real));
    }
  });

  it.each([
    ['29.2 seconds ahead', 29_200, { retryAfter: 30 }],
    ['past by now', -1, { retryAfter: 0 }],
    ['unknown', undefined, {}],
  ])('keeps how far off a quota was: %s', async (_, ahead, retry) => {
    const until = ahead === undefined ? {} : { until: 1_000_000 + ahead };
    const turn: Turn = { end: 'failed', cause: 'quota', ...until, message: 'later', said: '' };
    const inner: Driver = {
      name: 'limited',
      returnWay: () => 'message',
      start: () => ({ first: Promise.resolve(turn), repair: () => null, close: () => Promise.resolve() }),
      recover: () => Promise.resolve(null),
    };
    const recording = startRecording();
    expect(await converse(recordingDriver(inner, recording, { wallClock: () => 1_000_000 }), taskOf())).toEqual([turn]);
    const end = { kind: 'fail', cause: 'quota', ...retry, message: 'later', said: '' };
    expect(recording.scenario().tasks['1.1']?.[0]?.turns[0]?.end).toEqual(end);
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
