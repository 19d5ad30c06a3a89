import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandDriver } from '../../src/drivers/command/command-driver.ts';
import { reap } from '../../src/process/reap.ts';
import { driverTask } from '../conformance/driver-task.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const driverModule = new URL('../../src/drivers/command/command-driver.ts', import.meta.url).href;

/** Starts the driver with what stands beside it, and never ends. */
const orchestrator = `
import { readFileSync } from 'node:fs';
const { commandDriver } = await import(${JSON.stringify(driverModule)});
const { settings, task } = JSON.parse(readFileSync(new URL('given.json', import.meta.url), 'utf8'));
commandDriver(settings).start(task, new AbortController().signal, () => {});
setInterval(() => {}, 1000);
`;

/** Says half, waits until it is told to continue, says the rest. */
const agent = `
import { existsSync, writeSync } from 'node:fs';
writeSync(1, 'half ');
const timer = setInterval(() => {
  if (!existsSync('go-on')) return;
  clearInterval(timer);
  writeSync(1, 'and the rest');
}, 10);
`;

describe('a command whose orchestrator was killed', () => {
  it.each([
    ['what it said until it was reaped', false, 'half '],
    ['all it said when it ended by itself', true, 'half and the rest'],
  ])('leaves %s', async (_, goesOn, text) => {
    const root = folder({ 'agent.mjs': agent, 'project/a.txt': '' });
    const argv = [process.execPath, join(root, 'agent.mjs')];
    const settings = { name: 'agent', argv, environment: [], own: process.env, project: root };
    const task = driverTask(join(root, 'project'));
    const given = folder({ 'given.json': JSON.stringify({ settings, task }), 'orchestrator.mjs': orchestrator });
    const orchestrating = spawn(process.execPath, [join(given, 'orchestrator.mjs')], { stdio: 'inherit' });
    const said = (): string => (existsSync(task.outputFile) ? readFileSync(task.outputFile, 'utf8') : '');
    await expect.poll(said, { timeout: 30_000 }).toBe('half ');
    orchestrating.kill('SIGKILL');
    await once(orchestrating, 'exit');

    if (goesOn) writeFileSync(join(task.directory, 'go-on'), '');
    await expect.poll(said, { timeout: 30_000 }).toBe(text);
    await reap(task.run, { delegation: task.delegation });
    expect(await commandDriver(settings).recover(task)).toBe(text);
  });
});
