import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { stateFolder } from '../workspace/places.ts';
import { prepareFolder } from './prepare-folder.ts';

const folder = temporaryFolders();

describe('the folders of a project', () => {
  it('are .divisi, with what is not for version control, and its state', async () => {
    const project = folder();
    await prepareFolder(project);
    expect(readFileSync(join(project, '.divisi', '.gitignore'), 'utf8')).toBe('runs/\nerrors.json\n');
    expect(existsSync(join(stateFolder(project), 'path'))).toBe(true);
  });

  it.each(['runs/\n# my own', '*\n', ''])('keep the .gitignore that a person wrote: %j', async (text) => {
    const project = folder({ '.divisi/.gitignore': text });
    await prepareFolder(project);
    expect(readFileSync(join(project, '.divisi', '.gitignore'), 'utf8')).toBe(text);
  });

  it('are not written through a link', async () => {
    const outside = folder({ 'own.txt': 'mine\n' });
    const project = folder();
    mkdirSync(join(project, '.divisi'));
    symlinkSync(join(outside, 'own.txt'), join(project, '.divisi', '.gitignore'));
    await prepareFolder(project);
    expect(readFileSync(join(outside, 'own.txt'), 'utf8')).toBe('mine\n');
  });
});
