import { chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { findProject } from './find-project.ts';

const folder = temporaryFolders();

/** Makes these folders, and answers what is found from `from`, relative to the top. */
function found(folders: readonly string[], from: string, home = 'home'): string {
  const top = folder();
  for (const one of [...folders, from, 'home']) mkdirSync(join(top, one), { recursive: true });
  for (const one of folders) if (one.endsWith('/.git')) writeFileSync(join(top, one, 'HEAD'), 'ref: refs/heads/main\n');
  return findProject(join(top, from), { HOME: join(top, home) }).slice(top.length + 1);
}

it.each<[string, readonly string[], string, string]>([
  ['the folder itself', ['home/app/.divisi', 'home/app/.git'], 'home/app', 'home/app'],
  ['a folder above', ['home/app/.divisi', 'home/app/.git'], 'home/app/src/a', 'home/app'],
  ['the nearest', ['home/app/.git', 'home/app/.divisi', 'home/app/part/.divisi'], 'home/app/part/src', 'home/app/part'],
  [
    'none above the repository',
    ['home/.divisi', 'home/all/.divisi', 'home/all/app/.git'],
    'home/all/app/src',
    'home/all/app/src',
  ],
  [
    'none above a nested repository',
    ['home/app/.git', 'home/app/.divisi', 'home/app/lib/.git'],
    'home/app/lib',
    'home/app/lib',
  ],
  ['the top of a repository that is the home', ['home/.git', 'home/.divisi'], 'home/src', 'home'],
  ['a folder below the home, without a repository', ['home/all/.divisi'], 'home/all/app/src', 'home/all'],
  ['not the home, without a repository', ['home/.divisi'], 'home/app', 'home/app'],
  ['the home, for one who is there', ['home/.divisi'], 'home', 'home'],
  ['none above, outside of the home', ['shared/.divisi'], 'shared/app', 'shared/app'],
  ['the folder itself, outside of the home', ['shared/app/.divisi'], 'shared/app', 'shared/app'],
  ['a repository outside of the home', ['shared/app/.git', 'shared/app/.divisi'], 'shared/app/src', 'shared/app'],
  ['no folder whose name only begins like the home', ['home2/.divisi'], 'home2/app', 'home2/app'],
])('finds %s', (_, folders, from, expected) => {
  expect(found(folders, from)).toBe(expected);
});

it('does not count a folder .git that is empty, or that is somebody else’s', () => {
  const top = folder();
  for (const one of ['shared/.divisi', 'shared/.git', 'shared/app', 'home'])
    mkdirSync(join(top, one), { recursive: true });
  const find = (): string => findProject(join(top, 'shared/app'), { HOME: join(top, 'home') });
  expect(find()).toBe(join(top, 'shared/app'));
  writeFileSync(join(top, 'shared/.git/HEAD'), 'ref: refs/heads/main\n');
  expect(find()).toBe(join(top, 'shared'));
  // Only root can give a file away.
  if (process.getuid?.() !== 0) return;
  chownSync(join(top, 'shared/.git'), 12_345, 12_345);
  expect(find()).toBe(join(top, 'shared/app'));
});

it('knows a home behind a symlink by both names', () => {
  const top = folder();
  mkdirSync(join(top, 'real/app/.divisi'), { recursive: true });
  mkdirSync(join(top, 'real/app/src'));
  symlinkSync(join(top, 'real'), join(top, 'home'));
  for (const name of ['real', 'home'])
    expect(findProject(join(top, name, 'app/src'), { HOME: join(top, 'home') })).toBe(join(top, name, 'app'));
});

it('takes a file of that name for no project', () => {
  const top = folder({ 'home/app/.divisi': 'a file', 'home/app/src/a.txt': '' });
  expect(findProject(join(top, 'home/app/src'), { HOME: join(top, 'home') })).toBe(join(top, 'home/app/src'));
});

it('continues from a folder that does not exist', () => {
  const top = folder({ 'app/.divisi/keep': '', 'app/.git': '' });
  expect(findProject(join(top, 'app/gone/away'), { HOME: top })).toBe(join(top, 'app'));
});
