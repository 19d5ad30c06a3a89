import { execFileSync } from 'node:child_process';
import { symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { lastActivity, newestOf } from './live-activity.ts';

const folder = temporaryFolders();

it.each([
  ['one\ntwo\n', 'two'],
  ['one\r\ntwo\r\n\r\n   \n', 'two'],
  ['half a li', 'half a li'],
  [`${'x'.repeat(1000)}\n${'y'.repeat(50)}\n`, 'y'.repeat(50)],
  ['z'.repeat(1000), 'z'.repeat(400)],
])('of %j, the last line is %s', async (content, line) => {
  const file = join(folder({ output: content }), 'output');
  utimesSync(file, 1000, 1000);
  expect(await lastActivity(file)).toEqual({ at: 1_000_000, line });
});

it('knows nothing of a file that is missing, empty, a link or a pipe', async () => {
  const at = folder({ real: 'words', empty: '' });
  symlinkSync(join(at, 'real'), join(at, 'link'));
  execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: at });
  const found = await Promise.all(['missing', 'empty', 'link', 'pipe'].map((name) => lastActivity(join(at, name))));
  expect(found).toEqual([undefined, undefined, undefined, undefined]);
});

const places = { output: 'said.txt', transcript: 'del_1' };
const chunk = (text: string): string => {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  return `${JSON.stringify({ at: 1, from: { method: 'session/update', params: { update } } })}\n`;
};

it.each([
  ['what it said last, put together', `${chunk('First.\nI lo')}${chunk('ok at it')}`, 'I look at it'],
  ['what is not whole yet is left out', `${chunk('words')}{"at":1,"fr`, 'words'],
  ['nothing that it tells', '{"at":1,"to":{"id":1,"method":"initialize"}}\n', ''],
  ['lines behind a very long one', `${'x'.repeat(200_000)}\n${chunk('words')}`, 'words'],
])('of a transcript: %s', async (_, transcript, line) => {
  const at = folder({ 'said.txt': 'output\n', 'del_1.acp.jsonl': transcript });
  utimesSync(join(at, 'del_1.acp.jsonl'), 1000, 1000);
  expect(await newestOf(at, places)).toEqual({ at: 1_000_000, line });
});

it('of an agent without a transcript, or with a link in its place, the output', async () => {
  const at = folder({ 'said.txt': 'output\n', 'elsewhere.jsonl': chunk('words') });
  symlinkSync(join(at, 'elsewhere.jsonl'), join(at, 'del_1.acp.jsonl'));
  expect(await newestOf(at, places)).toMatchObject({ line: 'output' });
});
