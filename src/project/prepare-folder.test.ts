import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { prepareFolder } from './prepare-folder.ts';

const folder = temporaryFolders();

async function prepared(before?: string): Promise<string> {
  const project = folder(before === undefined ? {} : { '.divisi/.gitignore': before });
  await prepareFolder(project);
  await prepareFolder(project);
  return readFileSync(join(project, '.divisi', '.gitignore'), 'utf8');
}

const usual = 'ledger.db*\nruns/\nworktrees/\nstore.git/\nhomes/\nerrors.json\nsessions.jsonl\n';

describe('what of .divisi is not for version control', () => {
  it('is written into a new project', async () => {
    expect(await prepared()).toBe(usual);
  });

  it.each([
    ['of an earlier version', 'ledger.db*\nruns/\n', 'ledger.db*\nruns/\nhomes/\n'],
    ['whose last line has no end', 'ledger.db*\n# my own', 'ledger.db*\n# my own\nhomes/\n'],
    ['without what somebody took away', 'ledger.db*\n', 'ledger.db*\nhomes/\n'],
  ])('has the homes added in a file %s', async (_, before, after) => {
    expect(await prepared(before)).toBe(after);
  });

  it.each(['*\n', '/homes/\n', 'homes', '!homes/\n', '# homes are in git on purpose\n', ''])(
    'stays as it is where it speaks of them: %j',
    async (text) => {
      expect(await prepared(text)).toBe(text);
    },
  );

  it('is not written through a link or into a read-only folder', async () => {
    const outside = folder({ 'own.txt': 'mine\n' });
    const project = folder();
    mkdirSync(join(project, '.divisi'));
    symlinkSync(join(outside, 'own.txt'), join(project, '.divisi', '.gitignore'));
    await prepareFolder(project);
    expect(readFileSync(join(outside, 'own.txt'), 'utf8')).toBe('mine\n');
    const other = folder({ '.divisi/.gitignore': 'runs/\n' });
    chmodSync(join(other, '.divisi', '.gitignore'), 0o400);
    await expect(prepareFolder(other)).resolves.toBeUndefined();
  });

  it('is what git does not see', async () => {
    const project = folder({
      '.divisi/.gitignore': 'runs/\n',
      '.divisi/homes/claude/key': 'secret',
      '.divisi/a.md': 'a',
    });
    execFileSync('git', ['init', '--quiet', project]);
    await prepareFolder(project);
    const status = execFileSync('git', ['-C', project, 'status', '--porcelain', '-uall'], { encoding: 'utf8' });
    expect(status).toBe('?? .divisi/.gitignore\n?? .divisi/a.md\n');
  });
});
