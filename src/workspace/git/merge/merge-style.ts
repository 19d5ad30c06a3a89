/** Merge style: the ways a run's branch can enter the user's checkout, with the user's own signing. */
import { withTrailers } from '../commit-tree.ts';
import { fieldsOf, type GitSaid, git, gitAsUser } from '../git.ts';
import { checkedOut } from '../history.ts';
import { checkout, type Repository } from '../repository.ts';

/** `usual`: fast-forward where possible, but a merge commit where the user signs and the tasks' commits are not signed. */
export type MergeStyle = 'usual' | 'no-ff' | 'squash';

const everyCode = Array.from({ length: 256 }, (_, code) => code);

/** Whether the user's git signs commits. */
export async function signsCommits(repository: Repository): Promise<boolean> {
  const look = ['config', '--type=bool', '--get', 'commit.gpgSign'];
  const asked = await gitAsUser(checkout(repository), look, { answers: [0, 1, 128] });
  return asked.stdout.toString('utf8').trim() === 'true';
}

export interface BranchMerge {
  readonly branch: string;
  readonly head: string;
  readonly isFastForward: boolean;
  /** The user's hooks take part. */
  readonly runsHooks: boolean;
}

const hooksOff = (runsHooks: boolean): string[] => (runsHooks ? [] : ['-c', 'core.hooksPath=/dev/null']);

/** By its commit: git would prefer a tag of the same name, which nothing has checked. */
export function mergeCommit(
  repository: Repository,
  { branch, head, isFastForward, runsHooks }: BranchMerge,
): Promise<GitSaid> {
  const message = `Merge branch '${branch}'`;
  const how = [isFastForward ? '--ff' : '--no-ff', '--commit', '--no-squash', '--no-edit', '--quiet', '-m', message];
  return gitAsUser(checkout(repository), [...hooksOff(runsHooks), 'merge', ...how, '--end-of-options', head], {
    answers: everyCode,
  });
}

const squashTrailer = 'Divisi-Squashed';

export interface Squash {
  /** The merged content, and the commits it comes from. */
  readonly tree: string;
  readonly onto: string;
  readonly head: string;
  readonly message: string;
  readonly isSigned: boolean;
  readonly runsHooks: boolean;
}

/** The commit exists as a whole before the checkout moves to it: an interruption leaves nothing half done. */
export async function squashCommit(
  repository: Repository,
  { tree, onto, head, message, isSigned, runsHooks }: Squash,
): Promise<GitSaid> {
  const input = `${withTrailers(message, [[squashTrailer, head]])}\n`;
  const args = ['commit-tree', '-p', onto, ...(isSigned ? ['-S'] : []), '-F', '-', '--end-of-options', tree];
  const made = await gitAsUser(checkout(repository), args, { input, answers: everyCode });
  if (made.code !== 0) return made;
  const commit = made.stdout.toString('utf8').trim();
  const how = ['--ff-only', '--no-squash', '--quiet'];
  return gitAsUser(checkout(repository), [...hooksOff(runsHooks), 'merge', ...how, '--end-of-options', commit], {
    answers: everyCode,
  });
}

/** Whether a squashed commit in the checkout, made since the run's base, has all of this commit of its branch. */
export async function isSquashed(repository: Repository, base: string, commit: string): Promise<boolean> {
  const here = await checkedOut(repository);
  return here !== undefined && (await squashedHeads(repository, base, here.commit)).has(commit);
}

/** The heads of runs' branches whose work squashed commits after `from` have. */
export async function squashedHeads(repository: Repository, from: string, to: string): Promise<ReadonlySet<string>> {
  const format = `--format=%(trailers:key=${squashTrailer},valueonly,separator=%x20)`;
  const said = await git(checkout(repository), ['log', '-z', format, '--end-of-options', `${from}..${to}`], {
    answers: [0, 128],
  });
  return new Set(fieldsOf(said.stdout).flatMap((value) => value.trim().split(' ')));
}
