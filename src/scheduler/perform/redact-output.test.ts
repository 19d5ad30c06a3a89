import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { driverTask } from '../../../tests/conformance/driver-task.ts';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { redactOutput } from './redact-output.ts';

const folder = temporaryFolders();
const key = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';

it('what was said is kept without the secrets in it, and what the client said compressed', async () => {
  const root = folder({
    'said/a.out': `My key is ${key}.`,
    'said/a.out.stderr': `ANTHROPIC_API_KEY=${key}`,
    'said/a.out.repair-1': 'nothing',
    'said/a.claude.jsonl': `{"text":"${key}"}\n`,
    'elsewhere.txt': key,
  });
  symlinkSync(join(root, 'elsewhere.txt'), join(root, 'said/a.out.repair-2'));
  await redactOutput(driverTask(root, { outputFile: join(root, 'said/a.out'), transcript: join(root, 'said/a') }));
  const texts = ['a.out', 'a.out.stderr'].map((name) => readFileSync(join(root, 'said', name), 'utf8'));
  expect(texts).toEqual([expect.stringContaining('My key is [redacted'), expect.not.stringContaining(key)]);
  expect(readFileSync(join(root, 'said/a.out.repair-1'), 'utf8')).toBe('nothing');
  expect(readFileSync(join(root, 'elsewhere.txt'), 'utf8')).toBe(key);
  expect(existsSync(join(root, 'said/a.claude.jsonl'))).toBe(false);
  const kept = gunzipSync(readFileSync(join(root, 'said/a.claude.jsonl.gz'))).toString();
  expect(kept).toContain('"text"');
  expect(kept).not.toContain(key);
});

it('nothing happens where nothing was said', async () => {
  const root = folder();
  await redactOutput(driverTask(root, { outputFile: join(root, 'none'), transcript: join(root, 'none') }));
  expect(existsSync(join(root, 'none'))).toBe(false);
});
