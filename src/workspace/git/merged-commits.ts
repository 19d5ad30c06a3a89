/** Reads what commits of a branch changed. */
import { changesBetween, type DiffChange } from './changes.ts';
import { commitOf } from './commit-of.ts';
import { git } from './git.ts';
import { type Repository, shared } from './repository.ts';

export interface MergedCommit {
  /** Its first parent; undefined for a commit without one. */
  readonly before: string | undefined;
  readonly changes: readonly DiffChange[];
}

/** By commit. Left out are commits that `head` does not contain. */
export async function mergedCommits(
  repository: Repository,
  commits: readonly string[],
  head: string,
): Promise<Map<string, MergedCommit>> {
  const here: string[] = [];
  for (const commit of commits) if ((await commitOf(repository, commit)) === commit) here.push(commit);
  const lost = await commitsOutside(repository, here, head);
  const merged = new Map<string, MergedCommit>();
  for (const commit of here.filter((one) => !lost.has(one))) {
    const before = await commitOf(repository, `${commit}^`);
    merged.set(commit, {
      before,
      changes: before === undefined ? [] : await changesBetween(repository, before, commit),
    });
  }
  return merged;
}

async function commitsOutside(
  repository: Repository,
  commits: readonly string[],
  head: string,
): Promise<ReadonlySet<string>> {
  if (commits.length === 0) return new Set();
  const input = [...commits, `^${head}`, ''].join('\n');
  const { stdout } = await git(shared(repository), ['rev-list', '--stdin'], { input });
  return new Set(stdout.toString('utf8').split('\n'));
}
