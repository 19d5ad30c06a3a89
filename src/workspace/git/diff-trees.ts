/** Compares the files of two commits or trees, in one of git's formats. */
import { randomSecret } from '../random-secret.ts';
import { treeOf } from './commit-of.ts';
import { failedGit, type GitSaid, patiently } from './git.ts';
import { askGit } from './git-session.ts';
import { type Repository, shared } from './repository.ts';

/** Git repeats a line that names no tree: this one ends each answer. No file can contain it, because it cannot be guessed. */
const ending = `end ${randomSecret()}\n`;

export interface TreeDiff {
  readonly from: string;
  readonly to: string;
  /** Options of `git diff-tree`. */
  readonly shape: readonly string[];
  /** The most bytes of output; a longer one is cut. */
  readonly most?: number;
}

export async function diffTrees(
  repository: Repository,
  { from, to, shape, most }: TreeDiff,
): Promise<Pick<GitSaid, 'stdout' | 'cut'>> {
  const [before, after] = [await treeOf(repository, from), await treeOf(repository, to)];
  if (before === undefined || after === undefined) {
    throw failedGit('diff-tree', { code: 128, stderr: `${before === undefined ? from : to} is missing` });
  }
  const pair = `${before} ${after}\n`;
  const question = {
    text: pair + ending,
    ending,
    ...(most === undefined ? {} : { most: pair.length + most }),
  };
  const look = ['diff-tree', '--stdin', '-r', '--no-ext-diff', '--no-textconv', ...shape];
  const said = await patiently(() => askGit(shared(repository), look, question));
  // The pair is printed before its differences.
  if (said.code !== 0 || said.stdout.subarray(0, pair.length).toString('utf8') !== pair) {
    throw failedGit('diff-tree', said);
  }
  const { stdout, cut } = said;
  return { stdout: stdout.subarray(pair.length, cut ? undefined : -ending.length), cut };
}
