import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { readUsage, usageFile } from './usage-file.ts';

const folder = temporaryFolders();
const good = '{"tokens": 1200, "cost": 0.02}';

describe('the file in which a command says what it used', () => {
  it.each([
    [good, { tokens: 1200, cost: 0.02 }],
    [`  ${good}\n`, { tokens: 1200, cost: 0.02 }],
    [good.padEnd(4096), { tokens: 1200, cost: 0.02 }],
    ['{"tokens": 3, "cost": "cheap"}', { tokens: 3 }],
  ])('is read: %.40j', async (text, usage) => {
    expect(await readUsage(join(folder({ 'a.out.usage/usage.json': text }), 'a.out'))).toEqual(usage);
  });

  it.each([[''], ['{"tokens": 12'], ['12'], ['null'], ['[1, 2]'], ['{}'], [good.padEnd(4097)]])(
    'says nothing: %.40j',
    async (text) => {
      expect(await readUsage(join(folder({ 'a.out.usage/usage.json': text }), 'a.out'))).toBeUndefined();
    },
  );

  it('is nothing when it is missing, a folder or a link', async () => {
    const root = folder({ 'good.json': good });
    mkdirSync(join(root, 'folder.usage/usage.json'), { recursive: true });
    mkdirSync(join(root, 'link.usage'));
    symlinkSync(join(root, 'good.json'), usageFile(join(root, 'link')));
    const names = ['missing', 'folder', 'link', 'missing/deep', 'good.json/deep'];
    const read = await Promise.all(names.map((name) => readUsage(join(root, name))));
    expect(read).toEqual(names.map(() => undefined));
  });
});
