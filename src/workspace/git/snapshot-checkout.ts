/**
 * Writes the user's checkout as it is now into the repository as a tree: committed, uncommitted and new files, but
 * not ignored ones. Leaves the user's index and files alone.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../project-path.ts';
import { randomName } from '../random-name.ts';
import { repositoryPath } from './changes.ts';
import { makeStore } from './room/copy-store.ts';
import { git, type GitPlace, gitText } from './git.ts';
import { checkout, type Repository, shared } from './repository.ts';
import { copyIndex } from './room/room-record.ts';

const mostTries = 20;

/** `exclude` is relative to the project. Files that git refuses are left out. */
export async function treeOfCheckout(repository: Repository, exclude: readonly string[]): Promise<string> {
  if (repository.kind === 'copy') await makeStore(repository);
  const index = join(repository.gitDir, `divisi-index-${process.pid}-${randomName()}`);
  const place = { ...shared(repository), workTree: repository.top, directory: repository.top, index };
  try {
    await copyOwnIndex(repository, index);
    const paths = [':/', ...exclude.map((path) => `:(top,exclude,literal)${repositoryPath(repository, path)}`)];
    await addAll(place, paths);
    return await gitText(place, ['write-tree']);
  } finally {
    await Promise.all([index, `${index}.lock`].map((file) => rm(file, { force: true })));
  }
}

/**
 * Retries while other programs write: if a file disappears before git reads it, such as an editor's temporary file,
 * git gives up without adding anything.
 */
async function addAll(place: GitPlace, paths: readonly string[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { stderr } = await git(place, ['add', '-A', '--ignore-errors', '--', ...paths], { answers: [0, 1, 128] });
    if (!stderr.includes('fatal: unable to stat') || tries === mostTries) return;
  }
}

/** The copied index knows the files: only changed ones are read. */
async function copyOwnIndex(repository: Repository, to: string): Promise<void> {
  if (repository.kind === 'copy') return;
  const own = await indexOf(repository);
  try {
    await copyIndex(own, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** A linked worktree has an index of its own; git says where. */
async function indexOf(repository: Repository): Promise<string> {
  const { gitDir, top } = repository;
  if (gitDir === join(top, '.git')) return join(gitDir, 'index');
  return gitText(checkout(repository), ['rev-parse', '--path-format=absolute', '--git-path', 'index']);
}
