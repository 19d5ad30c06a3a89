import { chmodSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { findProgram } from './find-program.ts';

const folder = temporaryFolders();

function programs(...names: string[]): string {
  const root = folder(Object.fromEntries(names.map((name) => [name, '#!/bin/sh\n'])));
  for (const name of names) chmodSync(join(root, name), 0o755);
  return root;
}

describe('findProgram', () => {
  const find = (name: string, folders: readonly string[], at = '/'): Promise<string | undefined> =>
    findProgram(name, { PATH: folders.join(delimiter) }, at);

  it('takes the first of the PATH', async () => {
    const [one, two] = [programs('b'), programs('a', 'b')];
    expect(await find('b', [one, two])).toBe(join(one, 'b'));
    expect(await find('a', [one, two])).toBe(join(two, 'a'));
  });

  it('follows links, as the system does', async () => {
    const [one, two] = [programs('b'), folder()];
    symlinkSync(join(one, 'b'), join(two, 'b'));
    expect(await find('b', [two])).toBe(join(two, 'b'));
  });

  it('passes by what cannot be run', async () => {
    const files = folder({ a: 'no program', 'b/c': 'a folder' });
    const there = programs('a', 'b');
    expect(await find('a', [files, there])).toBe(join(there, 'a'));
    expect(await find('b', [files, there])).toBe(join(there, 'b'));
  });

  it.each([['nowhere'], [''], ['a']])('finds no %j', async (name) => {
    expect(await find(name, [folder({ a: '' }), '/there/is/none'])).toBeUndefined();
    expect(await findProgram(name, {}, '/')).toBeUndefined();
  });

  it('does not look where one happens to be', async () => {
    const here = programs('a');
    const before = process.cwd();
    process.chdir(here);
    try {
      expect(await find('a', ['', '.'], here)).toBeUndefined();
    } finally {
      process.chdir(before);
    }
  });

  it('takes a path as it is', async () => {
    const here = programs('a');
    expect(await find(join(here, 'a'), [])).toBe(join(here, 'a'));
    expect(await find('./a', [], here)).toBe(join(here, 'a'));
    expect(await find('./b', [here], here)).toBeUndefined();
  });
});
