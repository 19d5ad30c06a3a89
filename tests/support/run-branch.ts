/** The branch of a run in a project without a repository of its own: what it holds, and a commit on it by someone else. */
import { defined } from '../../src/base/defined.ts';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ledgerOf } from './project.ts';
import { stateFolder } from '../../src/workspace/places.ts';

interface GitOptions {
  readonly input?: string;
  readonly index?: string;
}

function git(project: string, args: readonly string[], { input, index }: GitOptions = {}): string {
  const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
  const env = {
    PATH: process.env['PATH'],
    HOME: project,
    ...who,
    ...defined({ GIT_INDEX_FILE: index }),
  };
  const all = [`--git-dir=${join(stateFolder(project), 'store.git')}`, ...args];
  return execFileSync('git', all, {
    encoding: 'utf8',
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...defined({ input }),
  });
}

const branchOf = (project: string): string => `refs/heads/divisi/${ledgerOf(project).report.run}`;

/** The text of a file there; undefined where there is none. */
export function onBranch(project: string, path: string): string | undefined {
  const branch = branchOf(project);
  const files = git(project, ['ls-tree', '-r', '--name-only', branch]).split('\n');
  return files.includes(path) ? git(project, ['show', `${branch}:${path}`]) : undefined;
}

/** Null takes a file away. */
export function commitOnBranch(project: string, files: Readonly<Record<string, string | null>>): void {
  const branch = branchOf(project);
  const index = join(project, '.divisi', 'test-index');
  git(project, ['read-tree', branch], { index });
  const lines = Object.entries(files).map(([path, text]) => {
    if (text === null) return `0 ${'0'.repeat(40)}\t${path}`;
    return `100644 ${git(project, ['hash-object', '-w', '--stdin'], { input: text }).trim()}\t${path}`;
  });
  git(project, ['update-index', '--index-info'], { index, input: `${lines.join('\n')}\n` });
  const tree = git(project, ['write-tree'], { index }).trim();
  const commit = git(project, ['commit-tree', tree, '-p', branch, '-m', 'by hand']).trim();
  git(project, ['update-ref', branch, commit]);
}
