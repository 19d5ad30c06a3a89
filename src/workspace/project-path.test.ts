import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { limits } from '../contracts/field.ts';
import { isMissing, locate, readInside } from './project-path.ts';

const folder = temporaryFolders();

/** A project with one of everything, beside a folder it must not reach. */
function project(): { root: string; outside: string } {
  const outside = folder({ 'secret.md': 'secret', 'deep/secret.md': 'secret' });
  const root = folder({ 'a.md': 'abc', 'empty.md': '', 'dir/b.md': 'inside' });
  const links: readonly [string, string][] = [
    ['link-in.md', 'dir/b.md'],
    ['link-dir', 'dir'],
    ['link-out.md', join(outside, 'secret.md')],
    ['link-out-relative.md', join('..', outside.split('/').at(-1) ?? '', 'secret.md')],
    ['link-out-dir', outside],
    ['link-twice.md', 'link-out.md'],
    ['link-root', '.'],
    ['loop-a', 'loop-b'],
    ['loop-b', 'loop-a'],
    ['dangling.md', 'nothing-here.md'],
  ];
  for (const [name, target] of links) symlinkSync(target, join(root, name));
  return { root, outside };
}

describe('locate', () => {
  it.each([
    ['a file', 'a.md', { found: 'inside', size: 3, isFile: true }],
    ['a file in a folder', 'dir/b.md', { found: 'inside', size: 6, isFile: true }],
    ['an empty file', 'empty.md', { found: 'inside', size: 0, isFile: true }],
    ['a folder', 'dir', { found: 'inside', isFile: false }],
    ['the project itself', '.', { found: 'inside', isFile: false }],
    ['a symlink that stays inside', 'link-in.md', { found: 'inside', size: 6, isFile: true }],
    ['a file behind a symlink to a folder inside', 'link-dir/b.md', { found: 'inside', isFile: true }],
    ['a symlink to the project', 'link-root/a.md', { found: 'inside', isFile: true }],
    ['nothing', 'nothing.md', { found: 'missing' }],
    ['nothing in a folder that is not there', 'no/where.md', { found: 'missing' }],
    ['something below a file', 'a.md/b.md', { found: 'missing' }],
    ['a name that is too long', 'x'.repeat(5_000), { found: 'missing' }],
    ['a symlink to nothing', 'dangling.md', { found: 'missing' }],
    ['a symlink loop', 'loop-a', { found: 'missing' }],
    ['a symlink that leads out', 'link-out.md', { found: 'outside' }],
    ['a relative symlink that leads out', 'link-out-relative.md', { found: 'outside' }],
    ['a symlink to a symlink that leads out', 'link-twice.md', { found: 'outside' }],
    ['a file behind a symlink to a folder outside', 'link-out-dir/deep/secret.md', { found: 'outside' }],
    ['the folder outside itself', 'link-out-dir', { found: 'outside' }],
    ['the folder above', '..', { found: 'outside' }],
  ])('%s', async (_what, path, place) => {
    expect(await locate(project().root, path)).toMatchObject(place);
  });

  it('looks through a root that is a symlink itself', async () => {
    const { root } = project();
    const link = join(folder(), 'project');
    symlinkSync(root, link);
    expect(await locate(link, 'a.md')).toEqual({ found: 'inside', path: join(root, 'a.md'), size: 3, isFile: true });
    expect(await locate(link, 'link-out.md')).toEqual({ found: 'outside' });
  });

  it('does not take a neighbour with a longer name, or a name that begins with two dots, for something else', async () => {
    const top = folder({ 'root/..a/b.md': 'x', 'root-2/c.md': 'x' });
    symlinkSync('../root-2/c.md', join(top, 'root/link.md'));
    expect(await locate(join(top, 'root'), '..a/b.md')).toMatchObject({ found: 'inside' });
    expect(await locate(join(top, 'root'), 'link.md')).toEqual({ found: 'outside' });
  });

  it('finds nothing below a root that is not there: an agent may have taken its folder away', async () => {
    expect(await locate(join(folder(), 'nowhere'), 'a.md')).toEqual({ found: 'missing' });
  });
});

describe('readInside', () => {
  it.each([
    ['a file', 'a.md', 'abc'],
    ['an empty file', 'empty.md', ''],
    ['a file behind a symlink inside', 'link-in.md', 'inside'],
    ['a folder', 'dir', undefined],
    ['nothing', 'nothing.md', undefined],
    ['a file outside', 'link-out.md', undefined],
    ['a file behind a folder outside', 'link-out-dir/secret.md', undefined],
    ['a symlink loop', 'loop-a', undefined],
  ])('%s', async (_what, path, text) => {
    expect(await readInside(project().root, path)).toBe(text);
  });

  it.each([
    [limits.input, 'string'],
    [limits.input + 1, 'undefined'],
  ])('a file of %i bytes', async (size, type) => {
    const root = folder({ 'big.md': Buffer.alloc(size, 'x') });
    expect(typeof (await readInside(root, 'big.md'))).toBe(type);
  });
});

describe('isMissing', () => {
  it.each([
    [Object.assign(new Error('x'), { code: 'ENOENT' }), true],
    [Object.assign(new Error('x'), { code: 'ELOOP' }), true],
    [Object.assign(new Error('x'), { code: 'EACCES' }), false],
    [new Error('ENOENT'), false],
    [{ code: 'ENOENT' }, false],
    [undefined, false],
  ])('%o: %s', (error, missing) => {
    expect(isMissing(error)).toBe(missing);
  });
});
