import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownContract } from '../../tests/support/own-contract.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { builtInContracts } from '../contracts/registry.ts';
import { loadContracts } from './own-contracts.ts';

const folder = temporaryFolders();
const builtIn = builtInContracts.map(({ name }) => name);

describe('loadContracts', () => {
  it.each([
    ['no .divisi', {}],
    ['no contracts', { '.divisi/keep': '' }],
    ['an empty folder', { '.divisi/contracts/notes.md': 'not a contract' }],
  ])('gives the built-in ones: %s', async (_what, files) => {
    expect([...(await loadContracts(folder(files))).keys()]).toEqual(builtIn);
  });

  it('adds own ones in the order of their files, whatever they are called', async () => {
    const root = folder({
      '.divisi/contracts/b.yaml': ownContract({ name: 'second' }),
      '.divisi/contracts/a.yml': ownContract({ name: 'first' }),
      '.divisi/contracts/c.yaml.bak': 'no contract: [',
      '.divisi/contracts/README.md': 'no contract: [',
    });
    expect([...(await loadContracts(root)).keys()]).toEqual([...builtIn, 'first', 'second']);
  });

  it('lets an own contract take the place of a built-in one', async () => {
    const root = folder({ '.divisi/contracts/a.yaml': ownContract({ name: 'code-reviewer' }) });
    const contracts = await loadContracts(root);
    expect(contracts.size).toBe(builtIn.length);
    expect(contracts.get('code-reviewer')?.purpose).toBe('write one database migration');
  });

  it.each([
    ['a word that is not YAML', 'name: [', 1],
    ['a field of no known type', ownContract().replace('type: flag', 'type: maybe'), 6],
    [
      'an example that breaks its own contract',
      ownContract().replace('[orders], risk: low', '[orders], risk: none'),
      14,
    ],
    [
      'a condition on a field that is not there',
      ownContract().replace('when: { risk: high }', 'when: { rusk: high }'),
      13,
    ],
    ['bytes that are no text', Buffer.from([0, 0xff, 0xfe]), 1],
    ['nothing', '', 1],
  ])('names file and line of a bad one: %s', async (_what, text, line) => {
    const root = folder({ '.divisi/contracts/mine.yaml': text });
    await expect(loadContracts(root)).rejects.toMatchObject({
      code: 'CONTRACT_FILE_INVALID',
      message: expect.stringMatching(new RegExp(`^\\.divisi/contracts/mine\\.yaml:${line}: .`)),
      ids: { file: '.divisi/contracts/mine.yaml', line },
    });
  });

  it.each([
    ['a folder', (path: string): unknown => mkdirSync(path)],
    ['a symlink to nothing', (path: string): unknown => symlinkSync('nothing', path)],
  ])('names a file that cannot be read: %s', async (_what, make) => {
    const root = folder({ '.divisi/contracts/keep': '' });
    make(join(root, '.divisi/contracts/mine.yaml'));
    await expect(loadContracts(root)).rejects.toMatchObject({
      code: 'CONTRACT_FILE_INVALID',
      message: expect.stringContaining('.divisi/contracts/mine.yaml: cannot be read'),
      ids: { file: '.divisi/contracts/mine.yaml' },
    });
  });

  it('refuses two files with one name', async () => {
    const root = folder({ '.divisi/contracts/a.yaml': ownContract(), '.divisi/contracts/b.yml': ownContract() });
    await expect(loadContracts(root)).rejects.toMatchObject({
      code: 'CONTRACT_FILE_INVALID',
      message: expect.stringMatching(/b\.yml: the contract \S+ is already defined in \.divisi\/contracts\/a\.yaml/),
    });
  });
});
