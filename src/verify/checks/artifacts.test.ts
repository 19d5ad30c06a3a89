import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { checkArtifacts } from './artifacts.ts';

const folder = temporaryFolders();

it('artifacts are there, hold something, are inside, and are kept', async () => {
  const directory = folder({ 'a.md': 'a', 'empty.md': '', 'dist/b.md': 'b', 'dist/empty.md': '' });
  symlinkSync(join(folder({ 'x.md': 'x' }), 'x.md'), join(directory, 'out.md'));
  const artifacts = ['a.md', 'empty.md', 'gone.md', 'gone.md', 'lost.md', 'out.md', 'dist/b.md', 'dist/empty.md'];
  const ignored = new Set(['dist/b.md', 'dist/empty.md']);
  expect(await checkArtifacts({ directory, artifacts, ignored })).toEqual([
    {
      kind: 'artifact-empty',
      rejects: true,
      claim: 'empty.md, dist/empty.md',
      fact: 'it is empty',
      paths: ['empty.md', 'dist/empty.md'],
    },
    {
      kind: 'artifact-missing',
      rejects: true,
      claim: 'gone.md, lost.md',
      fact: 'there is no such file',
      paths: ['gone.md', 'lost.md'],
    },
    {
      kind: 'artifact-outside',
      rejects: true,
      claim: 'out.md',
      fact: 'a symlink leads out of the project',
      paths: ['out.md'],
    },
    {
      kind: 'artifact-ignored',
      rejects: false,
      claim: 'dist/b.md',
      fact: 'ignored by git, so not part of the work',
      paths: ['dist/b.md'],
    },
  ]);
});
