/** Files of the checkout that rooms get: paths and patterns of the config, and `.worktreeinclude`. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveProvisions, type Provisions } from '../../src/workspace/git/resolve-provisions.ts';
import type { Files } from '../support/temporary-folder.ts';
import { type GitFolder, gitFolders, workspaceOn } from './git-project.ts';

const { repository, plain } = gitFolders();

const ignored = '.env*\nnode_modules\n.claude/\nsecret/\n';

interface Asked {
  readonly link?: readonly string[];
  readonly copy?: readonly string[];
}

async function resolved(user: GitFolder, { link = [], copy = [] }: Asked, project = user.folder): Promise<Provisions> {
  const work = await workspaceOn(user, project);
  return resolveProvisions(work.repository, { link: [...link], copy: [...copy] });
}

function checkoutWith(files: Files, committed: Files = {}): GitFolder {
  const user = repository({ 'packages/a/index.js': '1', '.gitignore': ignored, ...committed });
  user.write(files);
  return user;
}

describe('patterns of the config', () => {
  it.each<[string, string, string[]]>([
    ['one level below', 'packages/*/.env', ['packages/a/.env', 'packages/b/.env']],
    ['of the top alone', '.env*', ['.env', '.env.local']],
    ['at any depth, but not in installed packages', '**/.env', ['.env', 'packages/a/.env', 'packages/b/.env']],
    ['folders', 'packages/*/node_modules', ['packages/a/node_modules']],
    ['a class of characters', 'packages/[b-z]/.env', ['packages/b/.env']],
  ])('%s: %s', async (_, pattern, expected) => {
    const user = checkoutWith({
      '.env': '1',
      '.env.local': '1',
      'packages/a/.env': '1',
      'packages/b/.env': '1',
      'packages/b/notes.txt': '1',
      'packages/a/node_modules/p/i.js': '1',
      'node_modules/p/.env': '1',
      'node_modules/p/i.js': '1',
    });
    expect(await resolved(user, { copy: [pattern] })).toEqual({ link: [], copy: expected });
    expect((await resolved(user, { link: [pattern] })).link).toEqual(expected);
  });

  it('names those without a match, also where only tracked files match', async () => {
    const user = checkoutWith({ '.env': '1' });
    expect(await resolved(user, { copy: ['.env*', 'packages/*/index.js'], link: ['*.none'] })).toEqual({
      link: [],
      copy: ['.env'],
      unmatched: ['workspace.link: *.none', 'workspace.copy: packages/*/index.js'],
    });
  });

  it('are relative to a project below the top, whose name may look like a pattern', async () => {
    const user = checkoutWith({ 'packages/[a]/.env.x': '1', 'packages/a/.env.x': '1', '.env.x': '1' });
    const project = join(user.folder, 'packages/[a]');
    expect((await resolved(user, { copy: ['.env.*'] }, project)).copy).toEqual(['.env.x']);
  });

  it('reach neither out of the project, nor into .git or .divisi, nor a repository of its own', async () => {
    const user = checkoutWith({
      '.divisi/config.yaml': '',
      'own/ok.txt': '1',
      'nested/.git/HEAD': 'ref: refs/heads/x\n',
    });
    for (const [name, to] of Object.entries({
      l1: '/etc',
      l2: '/etc/hostname',
      l3: '.git/config',
      l4: '.divisi',
      l5: 'own',
    }))
      symlinkSync(to, join(user.folder, name));
    expect((await resolved(user, { copy: ['l*', 'own*', 'nes*', '.div*', '.gi*'] })).copy).toEqual(['l5', 'own']);
  });
});

describe('plain paths', () => {
  it.each(['copy', 'link'])('of workspace.%s must exist', async (key) => {
    const user = checkoutWith({ '.env': '1' });
    await expect(resolved(user, { [key]: ['.env', 'local/.env'] })).rejects.toMatchObject({
      code: 'WORKSPACE_PATH_MISSING',
      message: `local/.env, which every room gets (workspace.${key}), does not exist in your checkout`,
    });
  });

  it('must not lead out, nor into .git', async () => {
    const user = checkoutWith({});
    symlinkSync('/etc/hostname', join(user.folder, '.env'));
    symlinkSync('.git/config', join(user.folder, '.env2'));
    for (const path of ['.env', '.env2'])
      await expect(resolved(user, { copy: [path] })).rejects.toMatchObject({ code: 'WORKSPACE_PATH_MISSING' });
  });
});

describe('.worktreeinclude', () => {
  const files = {
    '.env': 'A=1\n',
    '.env.test': '1',
    'packages/a/.env': '1',
    '.claude/settings.local.json': '{}',
    '.claude/other.json': '{}',
    'secret/key': '1',
    'node_modules/p/.env': '1',
  };

  it('reaches into installed packages only where a pattern names their folder', async () => {
    const includes = (text: string): Promise<Provisions> =>
      resolved(checkoutWith(files, { '.worktreeinclude': text }), {});
    expect((await includes('# nothing of node_modules\n.env\n!node_modules/x\n')).copy).toEqual([
      '.env',
      'packages/a/.env',
    ]);
    expect((await includes('node_modules/p/.env\n')).copy).toEqual(['node_modules']);
  });

  it('adds what its patterns name, as git reads them', async () => {
    const include = '# local files\n.env*\n!.env.test\n/.claude/settings.local.json\nsecret/\nindex.js\n';
    const user = checkoutWith(files, { '.worktreeinclude': include });
    expect(await resolved(user, { copy: ['.env'] })).toEqual({
      link: [],
      copy: ['.env', '.claude/settings.local.json', 'packages/a/.env', 'secret'],
      included: 3,
    });
  });

  it('says so where nothing matches, and nothing where it is empty', async () => {
    const user = checkoutWith({ '.worktreeinclude': 'none\n' });
    expect(await resolved(user, {})).toEqual({ link: [], copy: [], unmatched: ['.worktreeinclude'] });
    user.write({ '.worktreeinclude': '# nothing\n\n' });
    expect(await resolved(user, {})).toEqual({ link: [], copy: [] });
  });

  it('copies nothing that is linked', async () => {
    const user = checkoutWith(files, { '.worktreeinclude': 'secret/\nnode_modules/\n' });
    expect(await resolved(user, { link: ['node_modules', 'secret'] })).toEqual({
      link: ['node_modules', 'secret'],
      copy: [],
    });
  });

  it('is not followed out of the project', async () => {
    const user = checkoutWith(files);
    const other = checkoutWith({ list: '.env\n' });
    symlinkSync(join(other.folder, 'list'), join(user.folder, '.worktreeinclude'));
    expect(await resolved(user, {})).toEqual({
      link: [],
      copy: [],
      unmatched: ['.worktreeinclude (not a small text file of this project)'],
    });
  });

  it('is refused where it names more files than a run can record', async () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`data/x${at}.local`, '']));
    const user = checkoutWith({ ...many, 'data/kept': '' }, { '.worktreeinclude': '*.local\n' });
    await expect(resolved(user, {})).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      expected: 'at most 1000 files and folders',
    });
  });

  it('works in a folder without git', async () => {
    const user = plain({ 'a.txt': '1', '.gitignore': '.env\n', '.env': 'A=1\n', '.worktreeinclude': '.env\n' });
    const work = await workspaceOn(user);
    const found = await resolveProvisions(work.repository, { link: [], copy: [] });
    expect(found).toEqual({ link: [], copy: ['.env'], included: 1 });
    const { directory } = await work.open('1', found);
    expect(readFileSync(join(directory, '.env'), 'utf8')).toBe('A=1\n');
  });

  it('fills rooms, and what it brings is not part of the work', async () => {
    const user = checkoutWith(files, { '.worktreeinclude': '.env\nsecret/\n' });
    const work = await workspaceOn(user);
    const found = await resolveProvisions(work.repository, { link: [], copy: [] });
    const opened = await work.open('1', found);
    expect(
      ['.env', 'packages/a/.env', 'secret/key', '.env.test'].map((path) => existsSync(join(opened.directory, path))),
    ).toEqual([true, true, true, false]);
  });
});
