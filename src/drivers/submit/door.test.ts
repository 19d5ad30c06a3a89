import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { type DoorPlace, makeDoorPlace } from './door-place.ts';
import { openDoor, type Submission, type Submissions } from './submissions.ts';

const folder = temporaryFolders();
const opened: { place: DoorPlace; all: Submissions }[] = [];
afterEach(async () => {
  for (const { place, all } of opened.splice(0)) {
    await all.close();
    place.remove();
  }
});

async function door(own = makeDoorPlace('sess_1', undefined)): Promise<{ place: DoorPlace; submission: Submission }> {
  const all = await openDoor(own);
  opened.push({ place: own, all });
  return { place: own, submission: all.open({ schema: { type: 'object' }, about: 'a task' }) };
}

/** Talks through the bridge, as a client does that starts it. */
async function talk({ server }: Submission, messages: readonly object[], answers: number): Promise<unknown[]> {
  const { command, args } = server as { command: string; args: string[] };
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: {} });
  const heard: unknown[] = [];
  const all = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      heard.push(JSON.parse(line));
      if (heard.length === answers) resolve();
    });
    child.on('exit', () => resolve());
  });
  for (const message of messages) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    await sleep(50);
  }
  await all;
  child.stdin.end();
  return heard;
}

const begin = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const submit = (id: number): object => ({
  id,
  method: 'tools/call',
  params: { name: 'submit_result', arguments: { a: id } },
});

function post(place: DoorPlace): { sent: ReturnType<typeof request>; status: Promise<number | string> } {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const sent = request({ socketPath: join(place.folder, 'door'), method: 'POST', path: '/', headers, agent: false });
  const status = new Promise<number | string>((resolve) => {
    sent.on('response', ({ statusCode }) => resolve(statusCode ?? 0));
    sent.on('error', () => resolve('cut off'));
  });
  return { sent, status };
}

describe('the door', () => {
  it('takes what is submitted through the bridge', async () => {
    const { submission } = await door();
    const messages = [begin, { method: 'notifications/initialized' }, { id: 9, method: 'tools/list' }, submit(2)];
    expect(await talk(submission, messages, 3)).toMatchObject([
      { id: 1, result: { serverInfo: { name: 'divisi' } } },
      { id: 9, result: { tools: [{ name: 'submit_result' }] } },
      { id: 2, result: { content: [{ text: expect.stringContaining('Received') as string }] } },
    ]);
    expect(submission.taken()).toBe('{"a":2}');
  });

  it('names no secret where others read command lines and environments', async () => {
    const { submission, place } = await door();
    expect(submission.server).toEqual({
      name: 'divisi',
      command: process.execPath,
      args: [join(place.folder, 'bridge.mjs')],
      env: [],
    });
    expect(readFileSync(join(place.folder, 'bridge.mjs'), 'utf8')).not.toMatch(/[\w-]{40,}/);
  });

  it('is in a folder whose path is longer than that of a socket', async () => {
    const long = join(folder(), ...Array.from({ length: 4 }, () => 'x'.repeat(60)));
    mkdirSync(long, { recursive: true });
    const all = await openDoor({ folder: long, seenAs: long, remove: () => undefined });
    expect(existsSync(join(long, 'door'))).toBe(true);
    await all.close();
    await all.close();
  });

  it('refuses after it is closed', async () => {
    const { submission } = await door();
    submission.close();
    expect(await talk(submission, [begin], 1)).toMatchObject([
      { id: 1, error: { message: 'refused with status 404' } },
    ]);
  });

  const anybody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
  const canBeAnybody =
    process.getuid?.() === 0 && spawnSync(String(anybody[0]), [...anybody.slice(1), 'true']).status === 0;
  it.runIf(canBeAnybody)('is closed to other users of the machine (F8)', async () => {
    const { place } = await door();
    const script = `require('net').connect(${JSON.stringify(join(place.folder, 'door'))}).on('connect', () => console.log('in')).on('error', (e) => console.log(e.code))`;
    const args = [...anybody.slice(1), '/usr/bin/env', 'node', '-e', script];
    expect(execFileSync(String(anybody[0]), args, { encoding: 'utf8', cwd: '/' })).toBe('EACCES\n');
  });
});

describe('what is received at the same time (F24)', () => {
  it('is eight requests', async () => {
    const { place } = await door();
    const waiting = Array.from({ length: 8 }, () => post(place));
    for (const { sent } of waiting) sent.write('{');
    await expect
      .poll(async () => {
        const { sent, status } = post(place);
        sent.end('{}');
        return status;
      })
      .toBe(413);
    for (const { sent } of waiting) sent.destroy();
    await expect
      .poll(async () => {
        const { sent, status } = post(place);
        sent.end('{}');
        return status;
      })
      .toBe(400);
  });

  it('is 16 MiB', async () => {
    const { place } = await door();
    const parts = Array.from({ length: 3 }, () => post(place));
    for (const { sent } of parts) sent.write('x'.repeat(7 * 1024 * 1024));
    expect([413, 'cut off']).toContain(await Promise.race(parts.map(({ status }) => status)));
    for (const { sent } of parts) sent.destroy();
  });
});
