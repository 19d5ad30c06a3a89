import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import { taskReview, waveReview } from '../../src/contracts/built-in/verdicts.ts';
import { workerReport } from '../../src/contracts/built-in/worker-report.ts';
import { read } from '../../src/contracts/read/read.ts';
import { deadlines } from '../../src/delegation/deadline.ts';
import { retryTime } from '../../src/drivers/retry-time.ts';
import type { Driver, DriverTask, Turn } from '../../src/drivers/driver.ts';
import { driverFor } from '../../src/drivers/find-driver.ts';
import { parseScenario } from '../../src/drivers/scripted/parse-scenario.ts';
import { scriptedDriver } from '../../src/drivers/scripted/scripted-driver.ts';
import { driverTask } from '../conformance/driver-task.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const guide = readFileSync(new URL('../../docs/drivers.md', import.meta.url), 'utf8');

/** The nth example in this language. */
function example(language: string, nth = 0): string {
  const found = [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))][nth];
  if (found?.[1] === undefined) throw new Error(`the guide has no such example in ${language}`);
  return found[1];
}

async function firstTurn(driver: Driver, task: DriverTask): Promise<{ readonly turn: Turn; readonly text: string }> {
  const conversation = driver.start(task, new AbortController().signal, () => {});
  const turn = await conversation.first;
  await conversation.close();
  return { turn, text: turn.end === 'returned' ? turn.text : '' };
}

const usage = { tokens: 1200, cost: 0.02 };

describe('the guide to drivers', () => {
  async function documented(): Promise<{ readonly driver: Driver; readonly project: string }> {
    const project = folder({ 'tools/worker.mjs': example('js') });
    const config = parseConfig(example('yaml'), 'config.yaml', deadlines);
    return {
      project,
      driver: await driverFor(undefined, {
        config,
        plan: {},
        project,
        environment: process.env,
        agentDrivers: new Map(),
      }),
    };
  }

  it('has a config and a worker that bring a result', async () => {
    const { driver, project } = await documented();
    const task = driverTask(project, { outputFile: join(folder(), 'a.out') });
    const { turn, text } = await firstTurn(driver, task);
    const reading = read(workerReport, text, { runId: task.run, taskId: '1.1' });
    expect(reading).toMatchObject({ ok: true, result: { status: 'completed', metadata: { taskId: '1.1' } } });
    expect(readFileSync(join(project, 'hello.txt'), 'utf8')).toBe('hello\n');
    expect(turn.usage).toEqual(usage);
  });

  it.each([
    ['wave-reviewer', waveReview],
    ['task-reviewer', taskReview],
    ['auditor', waveReview],
  ])('has a worker that reviews as %s', async (agent, contract) => {
    const { driver, project } = await documented();
    const task = driverTask(project, { agent, task: 'wave-1:review', outputFile: join(folder(), 'a.out') });
    const { turn, text } = await firstTurn(driver, task);
    expect(text).toBe(`LOW|nothing-to-do|${task.reportPath}\n`);
    expect(read(contract, text)).toMatchObject({ ok: true, result: { status: 'completed' } });
    expect(readFileSync(join(project, task.reportPath), 'utf8')).toMatch(/^# Review\n/);
    expect(turn.usage).toEqual(usage);
  });

  it('has settings of agent programs that are valid, and a driver for each', async () => {
    const config = parseConfig(example('yaml', 1), 'config.yaml', deadlines);
    const sources = { config, plan: {}, project: folder(), environment: {}, agentDrivers: new Map<string, string>() };
    expect(config.tiers).toEqual({ fast: 'gemini', deep: 'careful' });
    for (const name of [undefined, ...Object.keys(config.drivers)]) {
      expect((await driverFor(name, sources)).name).toBe(name ?? 'claude');
    }
  });

  it('has verdicts that hold', () => {
    const line = /`(HIGH\|[^`]+)`/.exec(guide)?.[1] ?? '';
    expect(read(waveReview, line.replace('PATH', 'reports/review.md'))).toMatchObject({ ok: true });
  });

  it('has words of a limit that are understood', () => {
    const now = Date.parse('2026-05-01T11:59:30Z');
    const words = [...guide.matchAll(/`(retry[ -](?:after|at)[^`]*)`/gi)].map(([, found = '']) => found);
    expect(words.map((found) => retryTime(found, now))).toEqual([now + 30_000, now + 30_000, now + 30_000]);
  });

  it('has a scenario', async () => {
    const scenario = parseScenario(example('yaml', 2), 'scenario.yaml');
    expect(Object.keys(scenario.tasks)).toEqual(['1.1', '1.2', '1.3', '1.4']);
    const project = folder();
    const driver = scriptedDriver({ name: 'demo', scenario, now: () => 0 });
    const turnOf = async (own: Partial<Record<keyof DriverTask, unknown>>): Promise<Turn> =>
      (await firstTurn(driver, driverTask(project, { outputFile: join(folder(), 'a.out'), ...own }))).turn;
    expect(await turnOf({})).toMatchObject({ end: 'returned', usage });
    expect(await turnOf({ task: '1.4' })).toMatchObject({ cause: 'quota', until: 30_000 });
    expect(await turnOf({ task: '9.9' })).toEqual({ end: 'returned', text: 'task 9.9 is done' });
    const review = await turnOf({
      task: 'wave-1:review',
      agent: 'wave-reviewer',
      isReview: true,
      reportPath: 'review.md',
    });
    expect(review).toEqual({ end: 'returned', text: 'LOW|nothing-to-do|review.md' });
    expect(readFileSync(join(project, 'review.md'), 'utf8')).toBe('# Review\n');
  });
});
