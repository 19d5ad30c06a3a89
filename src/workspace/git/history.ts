/** Answers questions about branches and commits; changes nothing. */
import { commitOf } from './commit-of.ts';
import { fieldsOf, git, gitText } from './git.ts';
import { checkout, type Repository, shared } from './repository.ts';

/** How many commits `to` has that `from` lacks. */
export async function commitsBetween(repository: Repository, from: string, to: string): Promise<number> {
  return Number(await gitText(shared(repository), ['rev-list', '--count', '--end-of-options', `${from}..${to}`, '--']));
}

/** The same without the commits of runs. */
export async function othersBetween(repository: Repository, from: string, to: string): Promise<number> {
  const notOurs = ['--invert-grep', '--grep=^Divisi-Run: '];
  return Number(
    await gitText(shared(repository), ['rev-list', '--count', ...notOurs, '--end-of-options', `${from}..${to}`, '--']),
  );
}

/** The commits that `to` has and `from` lacks. */
export async function commitsAfter(repository: Repository, from: string, to: string): Promise<ReadonlySet<string>> {
  const said = await gitText(shared(repository), ['rev-list', '--end-of-options', `${from}..${to}`, '--']);
  return new Set(said.split('\n').filter(Boolean));
}

export async function isContained(repository: Repository, commit: string, within: string): Promise<boolean> {
  if ((await commitOf(repository, commit)) === undefined) return false;
  const asked = await git(shared(repository), ['merge-base', '--is-ancestor', '--end-of-options', commit, within], {
    answers: [0, 1],
  });
  return asked.code === 0;
}

/** The commit and branch of the user's checkout; the branch is absent in detached HEAD. Undefined without a commit. */
export async function checkedOut(
  repository: Repository,
): Promise<{ readonly commit: string; readonly branch?: string } | undefined> {
  const place = checkout(repository);
  const commit = await gitText(place, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { answers: [0, 1, 128] });
  if (commit === '') return undefined;
  const ref = await gitText(place, ['symbolic-ref', '--quiet', 'HEAD'], { answers: [0, 1] });
  return ref === '' ? { commit } : { commit, branch: ref.replace(/^refs\/heads\//, '') };
}

/** The branches (`refs/heads/…`) that are checked out in the user's worktrees. */
export async function checkedOutRefs(repository: Repository): Promise<ReadonlySet<string>> {
  const { stdout } = await git(shared(repository), ['worktree', 'list', '--porcelain', '-z']);
  const branches = fieldsOf(stdout).filter((field) => field.startsWith('branch '));
  return new Set(branches.map((field) => field.slice('branch '.length)));
}
