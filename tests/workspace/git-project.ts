/** Real repositories for tests, with a private home folder, so that the user's git settings do not apply. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beginWorkspace, ensureRunBranch } from '../../src/workspace/git/room/begin-workspace.ts';
import { mergeWork, type MergeEnd } from '../../src/workspace/git/merge/merge-work.ts';
import { openRoom, type OpenedRoom, type RoomSpec } from '../../src/workspace/git/room/open-room.ts';
import { findRepository, type Repository } from '../../src/workspace/git/repository.ts';
import { type RoomSnapshot, snapshotRoom, type SnapshotSpec } from '../../src/workspace/git/room/snapshot-room.ts';
import { type Files, temporaryFolders } from '../support/temporary-folder.ts';

export const identity = { name: 'Ada Example', email: 'ada@example.org' };
export const at = Date.UTC(2026, 0, 2, 3, 4, 5);
export const run = 'run_01ARZ3NDEKTSV4RRFFQ69G5FAV';

export interface GitFolder {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  git(...args: readonly string[]): string;
  write(files: Files): void;
  commit(files: Files): string;
}

export function gitIn(folder: string, environment: NodeJS.ProcessEnv, args: readonly string[]): string {
  const said = execFileSync('git', args, {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return said.replace(/\n$/, '');
}

export function writeIn(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Called once per test file. */
export function gitFolders(): {
  readonly plain: (files?: Files) => GitFolder;
  readonly repository: (files?: Files) => GitFolder;
} {
  const newFolder = temporaryFolders();
  function plain(files: Files = {}): GitFolder {
    const home = newFolder({
      '.gitconfig': `[user]\n\tname = ${identity.name}\n\temail = ${identity.email}\n[init]\n\tdefaultBranch = main\n`,
    });
    const folder = newFolder(files);
    const environment = { PATH: process.env['PATH'], HOME: home };
    const git = (...args: readonly string[]): string => gitIn(folder, environment, args);
    const commit = (changed: Files): string => {
      writeIn(folder, changed);
      git('add', '-A');
      git('commit', '--quiet', '--allow-empty', '--no-verify', '-m', 'A commit of the user');
      return git('rev-parse', 'HEAD');
    };
    return { folder, environment, git, commit, write: (changed) => writeIn(folder, changed) };
  }
  function repository(files: Files = { 'a.txt': 'one\n' }): GitFolder {
    const made = plain();
    made.git('init', '--quiet');
    made.commit(files);
    return made;
  }
  return { plain, repository };
}

/** A run on a repository, with the usual arguments filled in. */
export interface Workspace {
  readonly repository: Repository;
  readonly base: string;
  readonly branch: string;
  open(task: string, spec?: Partial<RoomSpec>): Promise<OpenedRoom>;
  snapshot(room: OpenedRoom, spec?: Partial<SnapshotSpec>): Promise<RoomSnapshot>;
  /** The base is the work's parent, or the work itself where it is on the branch already; known is the last merge. */
  merge(delegation: string, commit: string, knownHead?: string): Promise<MergeEnd>;
  /** Does all of it: a task whose agent does this in its folder. */
  settle(task: string, work: (directory: string) => void): Promise<MergeEnd>;
  head(): string;
}

export async function workspaceOn(of: GitFolder, project: string = of.folder): Promise<Workspace> {
  const repository = await findRepository(project, of.environment);
  const { facts } = await beginWorkspace(repository, { run, at });
  const { base, branch } = facts;
  await ensureRunBranch(repository, { branch, base });
  const workBase = (commit: string): string => {
    const onBranch =
      gitIn(repository.gitDir, of.environment, ['branch', '--contains', commit, '--list', branch]) !== '';
    return onBranch || commit === base ? commit : gitIn(repository.gitDir, of.environment, ['rev-parse', `${commit}^`]);
  };
  let known = base;
  const workspace: Workspace = {
    repository,
    base,
    branch,
    open: (task, spec = {}) =>
      openRoom(repository, { run, task, attempt: 1, branch, identity, link: [], copy: [], ...spec }),
    snapshot: async ({ folder, base: from, branch: own }, spec = {}) => {
      const usual = { folder, base: from, branch: own, exclude: [], identity, at, message: 'Work' };
      const found = await snapshotRoom(repository, { ...usual, ...spec });
      if (found === undefined) throw new Error(`${folder} is gone`);
      return found;
    },
    merge: async (delegation, commit, knownHead = known) => {
      const end = await mergeWork(repository, {
        branch,
        knownHead,
        base: workBase(commit),
        commit,
        delegation,
        message: 'A task',
        trailers: [['Divisi-Run', run]],
        identity,
        at,
      });
      if (end.kind === 'merged') known = end.commit;
      return end;
    },
    settle: async (task, work) => {
      const room = await workspace.open(task);
      work(room.directory);
      const { commit } = await workspace.snapshot(room);
      return workspace.merge(`sess_1_${task}`, commit ?? room.base);
    },
    head: () => gitIn(repository.gitDir, of.environment, ['rev-parse', branch]),
  };
  return workspace;
}

/** Everything in a commit: `path → mode content`. */
export function treeOf(of: GitFolder, gitDir: string, commit: string): Record<string, string> {
  const listed = gitIn(gitDir, of.environment, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  const entries = listed.split('\0').filter((entry) => entry !== '');
  return Object.fromEntries(
    entries.map((entry) => {
      const [head = '', path = ''] = entry.split('\t');
      const [mode = '', type = '', blob = ''] = head.split(' ');
      const content =
        type === 'blob' ? execFileSync('git', ['cat-file', 'blob', blob], { cwd: gitDir }).toString('latin1') : blob;
      return [path, `${mode} ${content}`];
    }),
  );
}

/** What must not change under the user's hands: every file outside of `.divisi`, the index, HEAD, branches, settings, stash. */
export function userState(of: GitFolder): Record<string, string> {
  const state: Record<string, string> = {};
  const walk = (folder: string): void => {
    for (const name of readdirSync(join(of.folder, folder))) {
      const path = join(folder, name);
      const facts = lstatSync(join(of.folder, path));
      if (path === '.divisi' || (folder === '.git' && ['objects', 'divisi.lock', 'divisi-merge.lock'].includes(name)))
        continue;
      if (/^\.git\/(?:logs\/)?refs\/(?:heads\/)?divisi/.test(path)) continue;
      if (facts.isDirectory()) walk(path);
      else if (facts.isSymbolicLink()) state[path] = readlinkSync(join(of.folder, path));
      else {
        const hash = createHash('sha256')
          .update(readFileSync(join(of.folder, path)))
          .digest('hex');
        state[path] = `${facts.mode} ${facts.mtimeMs} ${hash}`;
      }
    }
  };
  walk('');
  return state;
}
