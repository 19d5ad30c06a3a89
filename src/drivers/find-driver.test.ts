import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driverTask } from '../../tests/conformance/driver-task.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import type { Config } from '../config/config.ts';
import type { Driver, Turn } from './driver.ts';
import { type DriverSources, driverFor } from './find-driver.ts';

const folder = temporaryFolders();
const saying = (text: string): string[] => [process.execPath, '-p', JSON.stringify(text)];

const config: DriverSources['config'] = {
  driver: 'worker',
  tiers: {},
  drivers: {
    worker: { kind: 'command', argv: saying('config'), environment: [] },
    reviewed: { kind: 'command', argv: saying('config'), review: saying('config review'), environment: [] },
    demo: { kind: 'scripted', scenario: 'demo.yaml' },
    gone: { kind: 'scripted', scenario: 'gone.yaml' },
  } satisfies Config['drivers'],
};

const project = folder({
  'demo.yaml': 'default: [{ turns: [{ return: demo }] }]',
  'plans/own.yaml': 'default: [{ turns: [{ return: own }] }]',
  'bad.yaml': 'default: 3',
  'work/a.txt': '',
});

async function find(name: string | undefined, own: Partial<DriverSources> = {}): Promise<Driver> {
  return driverFor(name, { config, plan: {}, project, environment: process.env, agentDrivers: new Map(), ...own });
}

async function firstOf(driver: Driver, agent = 'worker'): Promise<Turn> {
  const task = driverTask(join(project, 'work'), { agent, isReview: agent === 'wave-reviewer' });
  const { first, close } = driver.start(task, new AbortController().signal, () => {});
  const turn = await first;
  await close();
  return turn;
}

const command = saying('plan');
const review = saying('review');
const scenario = 'plans/own.yaml';

describe('driverFor', () => {
  it.each<[string, string | undefined, DriverSources['plan'], string, string]>([
    ['a driver of the config', 'worker', {}, 'worker', 'config\n'],
    ['a scripted driver of the config', 'demo', {}, 'demo', 'demo'],
    ['the default of the config', undefined, {}, 'worker', 'config\n'],
    ['the command of the plan', 'command', { command }, 'command', 'plan\n'],
    ['the command of the plan without a name', undefined, { command, scenario }, 'command', 'plan\n'],
    ['the command of the plan before the default', 'worker', { command }, 'command', 'plan\n'],
    ['the scenario of the plan', 'scripted', { scenario }, 'scripted', 'own'],
    ['the scenario of the plan without a name', undefined, { scenario }, 'scripted', 'own'],
    ['the scenario, although there is a command', 'scripted', { command, scenario }, 'scripted', 'own'],
    ['a named driver, although there is a scenario', 'demo', { scenario }, 'demo', 'demo'],
  ])('is %s', async (_, asked, plan, name, text) => {
    const driver = await find(asked, { plan });
    expect(driver.name).toBe(name);
    expect(await firstOf(driver)).toMatchObject({ end: 'returned', text });
  });

  it.each<[string, string | undefined, DriverSources['plan'], string]>([
    ['of the config', 'reviewed', {}, 'config review\n'],
    ['of the plan', undefined, { command, review }, 'review\n'],
    ['that works, where there is no other', undefined, { command }, 'plan\n'],
    ['of the config, when the plan has no command of its own', 'worker', { review }, 'config\n'],
  ])('reviews with the command %s', async (_, asked, plan, text) => {
    const driver = await find(asked, { plan });
    expect(await firstOf(driver, 'wave-reviewer')).toMatchObject({ end: 'returned', text });
  });

  it.each([
    [
      'other',
      config,
      {
        message: 'unknown driver: other',
        expected: expect.stringMatching(/^one of worker, reviewed, demo, gone, claude, codex,/),
        got: 'other',
      },
    ],
    ['toString', config, { message: 'unknown driver: toString' }],
    ['command', config, { next: expect.stringContaining('`Command:`') }],
    ['scripted', config, { next: expect.stringContaining('`Scenario:`') }],
    [
      undefined,
      { drivers: {}, tiers: {} },
      { message: 'no driver given', next: expect.stringContaining('`divisi agents`') },
    ],
  ])('refuses %s', async (name, own, facts) => {
    await expect(find(name, { config: own })).rejects.toMatchObject({ code: 'DRIVER_UNKNOWN', ...facts });
  });

  it.each([
    ['gone', {}, 'gone.yaml cannot be read'],
    ['scripted', { scenario: 'bad.yaml' }, 'bad.yaml:1: default'],
    ['scripted', { scenario: 'work' }, 'work cannot be read'],
  ])('refuses the scenario of %s %j', async (name, plan, words) => {
    const message = expect.stringContaining(words);
    await expect(find(name, { plan })).rejects.toMatchObject({ code: 'SCENARIO_INVALID', message });
  });
});
