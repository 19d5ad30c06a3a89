import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { sampleLine } from '../../tests/support/samples.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { DivisiError } from '../base/error.ts';
import { appendWorklog, readWorklog } from './worklog.ts';

const folder = temporaryFolders();
const run = promisify(execFile);
const first = sampleLine({ message: 'first' });
const second = sampleLine({ message: 'second', kind: 'decision' });

describe('appending', () => {
  it('makes the folders and adds one line each time', async () => {
    const file = join(folder(), 'deep/down/1.1.jsonl');
    await appendWorklog(file, first);
    await appendWorklog(file, second);
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(first)}\n${JSON.stringify(second)}\n`);
    expect(await readWorklog(file)).toEqual({ lines: [first, second], unreadable: [] });
  });

  it('keeps a message with line ends on one line', async () => {
    const file = join(folder(), 'w.jsonl');
    const line = sampleLine({ message: 'a\nb\r\nc\u2028"🎻' });
    await appendWorklog(file, line);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(2);
    expect((await readWorklog(file)).lines).toEqual([line]);
  });

  it.each([
    ['a line cut short', '{"version":1,"ti', [first, second], [2]],
    ['a whole line without its end', JSON.stringify(first), [first, first, second], []],
    ['half a character', Buffer.from([0x7b, 0x22, 0xf0, 0x9f]), [first, second], [2]],
  ])('heals %s and loses nothing', async (_what, torn, lines, unreadable) => {
    const file = join(folder(), 'w.jsonl');
    await appendWorklog(file, first);
    appendFileSync(file, torn);
    const before = readFileSync(file);
    await appendWorklog(file, second);
    expect(await readWorklog(file)).toEqual({ lines, unreadable });
    expect(readFileSync(file).subarray(0, before.length).equals(before)).toBe(true);
  });

  it('heals a file that begins with a line cut short', async () => {
    const file = join(folder({ 'w.jsonl': '{' }), 'w.jsonl');
    await appendWorklog(file, first);
    expect(readFileSync(file, 'utf8')).toBe(`{\n${JSON.stringify(first)}\n`);
  });

  it('adds no empty line where nothing was cut', async () => {
    const file = join(folder({ 'w.jsonl': '' }), 'w.jsonl');
    await appendWorklog(file, first);
    await appendWorklog(file, second);
    expect(readFileSync(file, 'utf8')).not.toMatch(/^\n|\n\n/);
  });

  it('loses nothing when several processes append at once', async () => {
    const file = join(folder(), 'shared.jsonl');
    const [writers, count] = [['a', 'b', 'c', 'd'], 40];
    const program = fileURLToPath(new URL('../../tests/support/append-worklog.ts', import.meta.url));
    await Promise.all(writers.map((name) => run(process.execPath, [program, file, name, String(count)])));
    const { lines, unreadable } = await readWorklog(file);
    expect(unreadable).toEqual([]);
    for (const name of writers) {
      const numbers = lines
        .filter(({ task_id }) => task_id === name)
        .map(({ message }) => Number.parseInt(message, 10));
      expect(numbers).toEqual(Array.from({ length: count }, (_, at) => at));
    }
  });

  it('takes secrets out before they reach the disk', async () => {
    const file = join(folder(), 'w.jsonl');
    const secret = `ghp_${'aB3dE5gH7jK9mN'.repeat(3).slice(0, 36)}`;
    await appendWorklog(file, sampleLine({ message: `export TOKEN=${secret} && make` }));
    const written = readFileSync(file, 'utf8');
    expect(written).not.toContain(secret.slice(4));
    expect((await readWorklog(file)).lines[0]?.message).toMatch(/^export TOKEN=.* && make$/);
  });
});

describe('a line that is not one', () => {
  const bad: readonly [string, Record<string, unknown>, string][] = [
    ['an empty message', { message: '' }, 'message'],
    ['a message without end', { message: 'word '.repeat(801) }, 'message'],
    ['a message that is no text', { message: 7 }, 'message'],
    ['no message', { message: undefined }, 'message'],
    ['a time without a zone', { time: '2026-01-01T00:00:00' }, 'time'],
    ['a day that does not exist', { time: '2026-02-30T00:00:00Z' }, 'time'],
    ['a bad delegation id', { delegation_id: 'sess_1_x' }, 'delegation_id'],
    ['an unknown kind', { kind: 'thought' }, 'kind'],
    ['another version', { version: 2 }, 'version'],
    ['no task', { task_id: '' }, 'task_id'],
    ['an extra key', { more: 1 }, 'more'],
  ];

  it.each(bad)('%s: is refused, and nothing is written', async (_what, changes, named) => {
    const file = join(folder(), 'deep/w.jsonl');
    const attempt = appendWorklog(file, { ...sampleLine(), ...changes });
    await expect(attempt).rejects.toThrow(DivisiError);
    await expect(attempt).rejects.toMatchObject({ code: 'WORKLOG_LINE_INVALID', retryable: false, ids: { file } });
    await expect(attempt).rejects.toThrow(named);
    expect(existsSync(join(file, '..'))).toBe(false);
  });

  it('leaves a file as it was', async () => {
    const file = join(folder(), 'w.jsonl');
    await appendWorklog(file, first);
    await expect(appendWorklog(file, sampleLine({ message: '' }))).rejects.toThrow(DivisiError);
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(first)}\n`);
  });
});

describe('a place that cannot be written to', () => {
  it.each([
    ['the folder is a file', 'taken/w.jsonl'],
    ['the file is a folder', 'occupied'],
  ])('%s', async (_what, path) => {
    const root = folder({ taken: 'a file', 'occupied/inside': 'x' });
    const attempt = appendWorklog(join(root, path), first);
    await expect(attempt).rejects.toMatchObject({
      code: 'WORKLOG_UNWRITABLE',
      retryable: true,
      ids: { file: join(root, path) },
    });
    await expect(attempt).rejects.toHaveProperty('cause.code');
  });
});

describe('reading', () => {
  it('numbers the lines that are something else, and reads the rest', async () => {
    const good = JSON.stringify(first);
    const file = join(folder(), 'w.jsonl');
    writeFileSync(
      file,
      [good, 'prose', '', '[]', good, 'null', `${good} `, '{"version":1}', good.slice(0, 20)].join('\n'),
    );
    expect(await readWorklog(file)).toEqual({ lines: [first, first, first], unreadable: [2, 4, 6, 8, 9] });
  });

  it('of an empty or missing file gives nothing', async () => {
    expect(await readWorklog(join(folder({ 'w.jsonl': '' }), 'w.jsonl'))).toEqual({ lines: [], unreadable: [] });
    expect(await readWorklog(join(folder(), 'w.jsonl'))).toEqual({ lines: [], unreadable: [] });
  });
});
