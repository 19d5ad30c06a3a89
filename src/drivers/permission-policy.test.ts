import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import type { ToolKind } from '../config/client-settings.ts';
import { type PermissionRequest, judgePermission, type PermissionPolicy } from './permission-policy.ts';

const folder = temporaryFolders();

/**
 * Beside `inner`, the folder of the task, is `outside`, of which `inner/linked` is a part that was linked in; `inner/dangling` leads to
 * a file of it that is not there, `inner/near` to a folder inside, `inner/circle` to itself.
 */
const top = realpathSync(folder({ 'inner/src/deep/a.ts': '', 'outside/victim.txt': '', 'outside/packages/b.ts': '' }));
const directory = join(top, 'inner');
const outside = join(top, 'outside');
symlinkSync(join(outside, 'packages'), join(directory, 'linked'));
symlinkSync(join(outside, 'not-there'), join(directory, 'dangling'));
symlinkSync(join('..', 'outside', 'neither'), join(directory, 'dangling-too'));
symlinkSync(join('src', 'deep'), join(directory, 'near'));
symlinkSync(join('src', 'not-there'), join(directory, 'dangling-inside'));
symlinkSync('circle', join(directory, 'circle'));
symlinkSync(directory, join(top, 'alias'));
symlinkSync(outside, join(directory, 'own-link'));
mkdirSync(join(directory, '.divisi'));
const linked = [{ path: 'linked', target: join(outside, 'packages') }];

function asking(kind: ToolKind, own: Partial<PermissionRequest> = {}): PermissionRequest {
  return { kind, title: '', paths: [], possiblePaths: [], isReturn: false, ...own };
}

async function isGranted(asked: PermissionRequest, own: Partial<PermissionPolicy> = {}): Promise<boolean> {
  return (await judgePermission(asked, { directory, rules: {}, linked, ...own })).granted;
}

const paths: readonly (readonly [what: string, path: string, mayRead: boolean, mayChange: boolean])[] = [
  ['a file', 'src/deep/a.ts', true, true],
  ['a file by its absolute path', join(directory, 'src/deep/a.ts'), true, true],
  ['the folder itself', '.', true, true],
  ['what is not there yet', 'new/folder/c.ts', true, true],
  ['..', 'src/../src/deep/a.ts', true, true],
  ['.. through a folder that is not there', 'new/../c.ts', true, true],
  ['out and in again', '../inner/src/deep/a.ts', true, true],
  ['a name that begins with two dots', '..a', true, true],
  ['a link that stays inside', 'near/a.ts', true, true],
  ['a link to nothing inside', 'dangling-inside', true, true],
  ['another name of the folder', join(top, 'alias/src/deep/a.ts'), true, true],
  ['what was linked in', 'linked/b.ts', true, false],
  ['what was linked in, by its absolute path', join(directory, 'linked/b.ts'), true, false],
  ['what was linked in, by where it is', join(outside, 'packages/b.ts'), false, false],
  ['what the agent linked in itself', 'own-link/victim.txt', false, false],
  ['git’s own folder', '.git/config', true, false],
  ['git’s own folder in capitals', 'src/.GIT/hooks/x', true, false],
  ['the config of Divisi', '.divisi/config.yaml', true, false],
  ['its agents', '.divisi/agents/x.md', true, false],
  ['a report', '.divisi/runs/r/report.md', true, true],
  ['a file outside', join(outside, 'victim.txt'), false, false],
  ['.. that leads out', '../outside/victim.txt', false, false],
  ['.. out of a link, which by its words stays inside', 'linked/../victim.txt', false, false],
  ['.. out of a link, to what by its words is there', 'linked/../src/deep/a.ts', false, false],
  ['the same by an absolute path', `${directory}/linked/../victim.txt`, false, false],
  ['.. out of a link that stays inside, which by its words does not', 'near/../../../outside', false, false],
  ['.. that by its words leads out and by its links does not', 'near/../../../inner/a.ts', false, false],
  ['a link to nothing outside', 'dangling', false, false],
  ['a relative link to nothing outside', 'dangling-too', false, false],
  ['below a link to nothing outside', 'dangling/c.ts', false, false],
  ['a circle', 'circle', false, false],
  ['the home', '~/.bashrc', false, false],
  ['the home alone', '~', false, false],
  ['a file address', 'file:///etc/passwd', false, false],
  ['a file address of one slash', 'FILE:/etc/passwd', false, false],
  ['another scheme', 'vscode-remote://x/etc/passwd', false, false],
  ['a NUL', 'a\0/../../outside/victim.txt', false, false],
  ['an end of line', 'a\n', false, false],
  ['a space before an absolute path', ` ${outside}/victim.txt`, false, false],
  ['a name that is too long', 'a'.repeat(5_000), false, false],
];

describe.each(paths)('%s', (_, path, mayRead, mayChange) => {
  it.each(['read', 'search'] as const)(`is ${mayRead ? '' : 'not '}open to %s`, async (kind) => {
    expect(await isGranted(asking(kind, { paths: [path] }))).toBe(mayRead);
  });

  it.each(['edit', 'delete', 'move', 'other'] as const)(`is ${mayChange ? '' : 'not '}open to %s`, async (kind) => {
    expect(await isGranted(asking(kind, { paths: [path] }))).toBe(mayChange);
    expect(await isGranted(asking(kind, { paths: ['src/deep/a.ts', path] }))).toBe(mayChange);
    expect(await isGranted(asking(kind, { paths: ['src/deep/a.ts'], possiblePaths: [path] }))).toBe(mayChange);
  });
});

describe('what may be a path', () => {
  const all = ['read', 'search', 'edit', 'delete', 'move', 'fetch', 'think', 'other'] as const;

  it.each(all)('is a reason to refuse %s', async (kind) => {
    expect(await isGranted(asking(kind, { paths: ['a'], possiblePaths: ['b'] }))).toBe(true);
    expect(await isGranted(asking(kind, { paths: ['a'], possiblePaths: ['/etc/passwd'] }))).toBe(false);
    expect(await isGranted(asking(kind, { paths: ['a'], possiblePaths: null }))).toBe(false);
  });

  it.each(['read', 'edit', 'delete', 'move', 'other'] as const)('is none to grant %s', async (kind) => {
    expect(await isGranted(asking(kind, { possiblePaths: ['a'] }))).toBe(false);
  });
});

describe('the config', () => {
  it('allows a kind wherever it leads', async () => {
    expect(await isGranted(asking('edit', { paths: ['/etc/passwd'] }), { rules: { edit: 'allow' } })).toBe(true);
    expect(await isGranted(asking('other'), { rules: { other: 'allow' } })).toBe(true);
  });

  it('refuses a kind wherever it stays', async () => {
    expect(await isGranted(asking('edit', { paths: ['a'] }), { rules: { edit: 'refuse' } })).toBe(false);
    expect(await isGranted(asking('execute'), { rules: { execute: 'refuse' } })).toBe(false);
  });

  it('does not refuse a return', async () => {
    expect(await isGranted(asking('other', { isReturn: true }), { rules: { other: 'refuse' }, tools: [] })).toBe(true);
  });
});

describe('a reviewer', () => {
  const review = { editable: ['.divisi/report.md'] };
  const rows: readonly (readonly [isGranted: boolean, asked: PermissionRequest])[] = [
    [true, asking('edit', { paths: ['.divisi/report.md'] })],
    [true, asking('other', { paths: [join(directory, '.divisi/report.md')], possiblePaths: ['.divisi/report.md'] })],
    [true, asking('read', { paths: ['src/deep/a.ts'] })],
    [false, asking('edit', { paths: ['src/deep/a.ts'] })],
    [false, asking('edit', { paths: ['.divisi/report.md', 'src/deep/a.ts'] })],
    [false, asking('edit', { paths: ['.divisi/report.md'], possiblePaths: ['src/deep/a.ts'] })],
    [false, asking('edit', { paths: ['near/../.divisi/report.md'] })],
    [false, asking('edit', { paths: ['.divisi/report.md'], possiblePaths: null })],
    [false, asking('other')],
  ];

  it.each(rows)('is granted: %s', async (expected, asked) => {
    expect(await isGranted(asked, review)).toBe(expected);
  });
});

describe('tools', () => {
  const [command, edit, other] = [
    asking('execute'),
    asking('edit', { paths: ['a'] }),
    asking('other', { paths: ['a'] }),
  ];
  const rows: readonly (readonly [tools: readonly string[], isGranted: boolean, asked: PermissionRequest])[] = [
    [['Bash'], true, command],
    [['Bash(git *)', 'Bash'], true, command],
    [['Read', 'Bash(git *)'], false, command],
    [['Read'], false, command],
    [['BashOutput'], false, command],
    [['Write'], true, edit],
    [['Write(docs/**)'], false, edit],
    [['Bash'], false, edit],
    [['Edit'], true, other],
    [['Read'], false, other],
    [['Bash'], false, other],
    [['Bash'], true, asking('delete', { paths: ['a'] })],
    [['Bash(git *)'], false, asking('delete', { paths: ['a'] })],
    [['Read'], true, asking('read', { paths: ['a'] })],
    [['WebFetch'], true, asking('fetch')],
    [['Read'], false, asking('fetch')],
  ];

  it.each(rows)('%j: granted %s', async (tools, expected, asked) => {
    expect(await isGranted(asked, { tools })).toBe(expected);
  });

  it('are said to be a part of one where no more is there', async () => {
    const { why } = await judgePermission(command, { directory, rules: {}, tools: ['Bash(git *)'] });
    expect(why).toBe('its agent has only Bash(git *), and the request cannot be checked against it');
  });

  it('do not limit what names no file and is allowed by the config', async () => {
    expect(await isGranted(asking('other'), { tools: ['Read'], rules: { other: 'allow' } })).toBe(true);
  });
});
