import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driverTask } from '../../tests/conformance/driver-task.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { acpSettings } from '../config/client-settings.ts';
import { acpDriverFrom, programDriver } from './client-driver.ts';
import type { Driver, Turn } from './driver.ts';
import { routedDriver } from './find-driver.ts';

const folder = temporaryFolders();

/** A folder to look for programs in, with these in it. */
function path(...names: readonly string[]): NodeJS.ProcessEnv {
  const bin = folder();
  for (const name of names) {
    writeFileSync(join(bin, name), '#!/bin/sh\nexit 3\n');
    chmodSync(join(bin, name), 0o755);
  }
  return { PATH: bin };
}

async function firstOf(driver: Driver): Promise<Turn> {
  const { first, close } = driver.start(driverTask(folder()), new AbortController().signal, () => {});
  const turn = await first;
  await close();
  return turn;
}

describe('a program without a word in the config', () => {
  it.each([
    ['over ACP where it speaks it', ['claude', 'claude-agent-acp'], 'tool'],
    ['by its command line where it does not', ['claude'], 'schema'],
    ['over ACP where neither is there', [], 'tool'],
  ] as const)('is driven %s', async (_, names, way) => {
    const driver = await programDriver('claude', { project: folder(), environment: path(...names) });
    expect(driver.returnWay({ agent: 'worker', tier: 'fast', isReview: false })).toBe(way);
  });

  it('says what to do to have it when it is not there', async () => {
    const driver = await programDriver('copilot', { project: folder(), environment: path() });
    expect(await firstOf(driver)).toMatchObject({
      end: 'failed',
      cause: 'not-started',
      message: expect.stringMatching(/^Copilot CLI: .*npm install -g @github\/copilot/),
    });
  });
});

describe('what a person has to fix', () => {
  it('is reported with what to do about it', async () => {
    const agent = `
      const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
      process.stdin.on('data', () => send({ id: 0, error: { code: -32000, message: 'Authentication required' } }));`;
    const argv = [process.execPath, join(folder({ 'agent.mjs': agent }), 'agent.mjs')];
    const settings = acpSettings.parse({ kind: 'acp', profile: 'goose', argv });
    const driver = acpDriverFrom('mine', settings, { project: folder(), environment: process.env });
    expect(await firstOf(driver)).toMatchObject({
      cause: 'authentication',
      message: expect.stringMatching(/^Goose: Authentication required .*`goose configure`/),
    });
  });
});

describe('routedDriver', () => {
  const named = (name: string): Driver => ({
    name,
    returnWay: () => 'message',
    start: () => ({
      first: Promise.resolve({ end: 'returned', text: name }),
      repair: () => null,
      close: () => Promise.resolve(),
    }),
    recover: () => Promise.resolve(name),
  });
  const driver = routedDriver({
    standard: named('usual'),
    byTier: new Map([['deep', named('strong')]]),
    byAgent: new Map([['migrator', named('own')]]),
  });

  it.each([
    ['worker', 'fast', 'usual'],
    ['worker', 'deep', 'strong'],
    ['migrator', 'fast', 'own'],
    ['migrator', 'deep', 'own'],
    ['kit:migrator', 'deep', 'own'],
  ] as const)('gives %s at %s to %s', async (agent, tier, name) => {
    const task = driverTask(folder(), { agent, tier });
    expect(await driver.recover(task)).toBe(name);
    expect(await driver.start(task, new AbortController().signal, () => {}).first).toMatchObject({ text: name });
  });
});
