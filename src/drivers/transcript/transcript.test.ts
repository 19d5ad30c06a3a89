import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compressTranscript } from './compress-transcript.ts';
import { openTranscript } from './open-transcript.ts';
import { type TranscriptReading, readTranscript, type TranscriptLine } from './read-transcript.ts';
import { transcriptFile } from './transcript-file.ts';
import { longestTranscriptLine, transcriptLine } from './transcript-line.ts';

/** Put together from parts, so that no scanner takes this file for a leak. */
const secret = ['sk', 'ant', 'api03', 'abcdefghijkl'].join('-');

let folder: string;
let transcript: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'divisi-transcript-'));
  transcript = join(folder, 'transcripts', 'del_1');
  file = transcriptFile(transcript, 'acp');
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

async function read(options?: TranscriptReading): Promise<TranscriptLine[]> {
  return linesIn(transcript, options);
}

async function linesIn(path: string, options?: TranscriptReading): Promise<TranscriptLine[]> {
  const lines: TranscriptLine[] = [];
  for await (const line of readTranscript(path, options)) lines.push(line);
  return lines;
}

async function messages(): Promise<unknown[]> {
  return (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

async function written(...all: readonly unknown[]): Promise<void> {
  const open = openTranscript(file, { now: () => 7 });
  for (const message of all) open.write('from', message);
  await open.close();
}

describe('writing', () => {
  test('keeps every message in its order, readable by its owner alone', async () => {
    const open = openTranscript(file, { now: () => 7 });
    for (let id = 0; id < 5000; id += 1) open.write(id % 2 === 0 ? 'to' : 'from', { id });
    await open.close();
    const all = await messages();
    expect(all).toHaveLength(5000);
    expect(all[0]).toEqual({ at: 7, to: { id: 0 } });
    expect(all[4999]).toEqual({ at: 7, from: { id: 4999 } });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('loses nothing that is written while the last of it is being written', async () => {
    const open = openTranscript(file);
    for (let round = 0; round < 50; round += 1) {
      open.write('to', { round });
      for (let step = 0; step < round; step += 1) await Promise.resolve();
      if (round % 7 === 0) await sleep(1);
    }
    await open.close();
    expect(await messages()).toHaveLength(50);
  });

  test('takes a line of the wire as the message it is, or as text', async () => {
    await written('{"jsonrpc": "2.0"}', 'no JSON');
    expect(await messages()).toEqual([
      { at: 7, from: { jsonrpc: '2.0' } },
      { at: 7, from: 'no JSON' },
    ]);
  });

  test('appends to an existing file', async () => {
    await written({ id: 1 });
    await written({ id: 2 });
    expect(await messages()).toHaveLength(2);
  });

  test('says so when there is no more room, and stops', async () => {
    const open = openTranscript(file, { most: 200, now: () => 7 });
    for (let id = 0; id < 100; id += 1) open.write('to', { id });
    await open.close();
    open.write('to', 'too late');
    await open.close();
    const all = await messages();
    expect(all.at(-1)).toEqual({ at: 7, note: 'the transcript reached 200 bytes: nothing more is kept' });
    expect(all.length).toBeGreaterThan(5);
    expect(all.length).toBeLessThan(15);
  });

  test('writes neither through a symbolic link nor through a second name', async () => {
    await written({ id: 1 });
    const other = join(folder, 'other');
    await writeFile(other, 'mine');
    await rm(file);
    await symlink(other, file);
    await written({ id: 2 });
    await rm(file);
    await link(other, file);
    await written({ id: 3 });
    expect(await readFile(other, 'utf8')).toBe('mine');
    expect(await messages()).toEqual([{ at: 7, from: { id: 3 } }]);
  });

  test('is not a reason to fail where it cannot be written', async () => {
    await writeFile(join(folder, 'transcripts'), 'a file where the folder should be');
    await expect(written({ id: 1 })).resolves.toBeUndefined();
  });
});

describe('a line', () => {
  test.each([
    ['in a field', { text: `the key is ${secret}` }, { text: 'the key is [redacted:anthropic]' }],
    ['by the name of its field', { password: 'correct horse' }, { password: '[redacted:assignment]' }],
  ])('has no secret: %s', (_, message, expected) => {
    expect(JSON.parse(transcriptLine(7, 'from', message))).toEqual({ at: 7, from: expected });
  });

  test('is kept as text if redaction makes it invalid JSON', () => {
    const message = {
      text: `${'-'.repeat(5)}BEGIN PRIVATE KEY${'-'.repeat(5)}\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC`,
      after: 1,
    };
    expect(JSON.parse(transcriptLine(7, 'from', message))).toEqual({ at: 7, from: '{"text":"[redacted:private-key]' });
  });

  test('that is too long keeps what it is about', () => {
    const message = { method: 'session/update', params: { text: 'x'.repeat(300_000), path: 'src/a.ts' } };
    const line = transcriptLine(7, 'from', message);
    expect(line.length).toBeLessThan(longestTranscriptLine);
    expect(JSON.parse(line)).toMatchObject({
      from: {
        method: 'session/update',
        params: { path: 'src/a.ts', text: expect.stringMatching(/^x{4096}… \(\d+ characters cut\)$/) },
      },
    });
  });

  test.each([
    ['many short strings', { all: Array.from({ length: 30_000 }, (_, at) => `entry ${at}`) }],
    ['no JSON', 'x'.repeat(200_000)],
    ['more than is taken apart', { text: 'x'.repeat(2_000_000) }],
    ['nothing but escapes', '\u0001'.repeat(200_000)],
    ['fewer escapes', '\u0001'.repeat(30_000)],
  ])('that is too long is cut and says so: %s', (_, message) => {
    const line = transcriptLine(7, 'to', message);
    expect(line.length).toBeLessThanOrEqual(longestTranscriptLine);
    expect(JSON.parse(line)).toMatchObject({ at: 7, note: expect.stringContaining('characters') });
  });

  test('is written even of what is nested too deeply', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(JSON.parse(transcriptLine(7, 'from', deep))).toEqual({ at: 7, from: 'nested too deeply to be written' });
    expect(transcriptLine(7, 'from', `${'['.repeat(20_000)}${']'.repeat(20_000)}`).length).toBeLessThan(
      longestTranscriptLine,
    );
  });

  test('has no token of ours', () => {
    const headers = [{ name: 'Authorization', value: `Bearer ${'0a1b2c3d'.repeat(4)}` }];
    const message = { method: 'session/new', params: { mcpServers: [{ type: 'http', headers }] } };
    expect(transcriptLine(7, 'to', message)).toContain('"value":"Bearer [redacted:authorization]"');
  });

  test('has no secret where it is cut', () => {
    const message = { a: 'x'.repeat(longestTranscriptLine / 2 - 40), secret, b: 'y'.repeat(2_000_000) };
    expect(transcriptLine(7, 'to', message)).not.toContain('sk-ant-api');
  });
});

describe('compressing', () => {
  test('leaves one file, with the same lines', async () => {
    await written({ id: 1 }, { id: 2 });
    const before = await read();
    await compressTranscript(file);
    expect(await readdir(join(folder, 'transcripts'))).toEqual(['del_1.acp.jsonl.gz']);
    expect((await stat(`${file}.gz`)).mode & 0o777).toBe(0o600);
    expect(before).toHaveLength(2);
    expect(await read()).toEqual(before);
  });

  test('redacts what a program wrote by itself', async () => {
    await written();
    const own = transcriptFile(join(folder, 'del_2'), 'claude');
    await writeFile(own, `{"text":"${secret}"}\n{"cut off`);
    await compressTranscript(own);
    expect(await linesIn(join(folder, 'del_2'))).toEqual([
      { dialect: 'claude', line: '{"text":"[redacted:anthropic]"}' },
      { dialect: 'claude', line: '{"cut off' },
    ]);
  });

  test('does nothing where there is nothing, or only a link', async () => {
    await compressTranscript(join(folder, 'none.acp.jsonl'));
    const other = join(folder, 'other');
    await writeFile(other, 'mine');
    await symlink(other, join(folder, 'link.acp.jsonl'));
    await compressTranscript(join(folder, 'link.acp.jsonl'));
    expect((await readdir(folder)).toSorted()).toEqual(['link.acp.jsonl', 'other']);
  });

  test('a crash before the rename leaves the plain file, one after it both; either is read once', async () => {
    await written({ id: 1 }, { id: 2 });
    const whole = await read();
    const plain = await readFile(file);
    await writeFile(`${file}.gz.tmp`, gzipSync(plain).subarray(0, 10));
    expect(await read()).toEqual(whole);
    await compressTranscript(file);
    await writeFile(file, plain);
    expect(await read()).toEqual(whole);
    await compressTranscript(file);
    expect(await read()).toEqual(whole);
    expect(await readdir(join(folder, 'transcripts'))).toEqual(['del_1.acp.jsonl.gz']);
  });

  test('of two forms the plain one is read: the other may be what someone has put there', async () => {
    await written({ id: 1 }, { id: 2 });
    await writeFile(`${file}.gz`, gzipSync('{"id":3}\n'));
    expect((await read()).map(({ line }) => line)).toEqual(['{"at":7,"from":{"id":1}}', '{"at":7,"from":{"id":2}}']);
  });

  test('that fails leaves the plain file', async () => {
    await written({ id: 1 });
    // A folder that has something in it cannot be replaced.
    await mkdir(join(`${file}.gz`, 'inside'), { recursive: true });
    await expect(compressTranscript(file)).rejects.toThrow(/EISDIR|ENOTEMPTY/);
    expect(await messages()).toHaveLength(1);
    expect((await readdir(join(folder, 'transcripts'))).toSorted()).toEqual(['del_1.acp.jsonl', 'del_1.acp.jsonl.gz']);
  });
});

describe('reading', () => {
  test('nothing where there is no transcript', async () => {
    expect(await read()).toEqual([]);
  });

  test('not another delegation whose name begins alike, nor through a link', async () => {
    await written({ id: 1 });
    await writeFile(transcriptFile(`${transcript}2`, 'acp'), 'another\n');
    await writeFile(join(folder, 'other'), 'secret\n');
    await symlink(join(folder, 'other'), transcriptFile(transcript, 'claude'));
    expect(await read()).toEqual([{ dialect: 'acp', line: '{"at":7,"from":{"id":1}}' }]);
  });

  test('what is not gzip as far as it goes', async () => {
    await written({ id: 1 });
    await writeFile(transcriptFile(transcript, 'claude') + '.gz', 'no gzip');
    expect(await read()).toHaveLength(1);
  });

  test('as much as is wanted', async () => {
    await written(...Array.from({ length: 20_000 }, (_, id) => ({ id })));
    await compressTranscript(file);
    let taken = 0;
    for await (const _ of readTranscript(transcript)) {
      taken += 1;
      if (taken === 3) break;
    }
    // What is left behind would be heard of by now.
    await sleep(20);
    expect(taken).toBe(3);
  });

  test('follows from before the first line until after it is compressed', async () => {
    let follows = true;
    const all = read({ follow: () => follows, pause: 5 });
    const open = openTranscript(file);
    for (let id = 0; id < 20; id += 1) {
      open.write('to', { id, text: 'ä'.repeat(10_000) });
      await sleep(3);
    }
    await open.close();
    await compressTranscript(file);
    await sleep(30);
    follows = false;
    expect((await all).map(({ line }) => Number(/"id":(\d+)/.exec(line)?.[1]))).toEqual([...Array(20).keys()]);
    expect((await all).every(({ line }) => line.endsWith(`${'ä'.repeat(10_000)}"}}`))).toBe(true);
  });
});
