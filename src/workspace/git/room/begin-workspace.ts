/**
 * Determines where a run starts: its base commit, the name of its branch and the identity of its commits. Refuses
 * what cannot work.
 */
import { flatten, oneLine } from '../../../base/text.ts';
import { divisiError } from '../../../base/error.ts';
import type { WorkspaceFacts } from '../../../core/event/verification.ts';
import { branchHead } from '../commit-of.ts';
import { type CommitIdentity, commitTree, type NewCommit, usualSigning } from '../commit-tree.ts';
import { commitFolder, makeStore } from './copy-store.ts';
import { fieldsOf, git, gitText } from '../git.ts';
import { inspectBase } from '../inspect-base.ts';
import { refuseUnsupported } from '../refuse-unsupported.ts';
import { checkout, type Repository, withRepositoryLock } from '../repository.ts';
import { updateRefs } from '../update-refs.ts';
import { type EarlierWork, refuseEarlierWork, withEarlierWork } from './earlier-work.ts';
import { keepRef, runBranch } from './room-name.ts';

export interface WorkspaceSpec {
  readonly run: string;
  /** A branch, tag or commit; the checkout's HEAD when absent. */
  readonly baseBranch?: string;
  /** Earlier runs whose work the run builds on: merged with its base. */
  readonly buildsOn?: readonly EarlierWork[];
  /** Files Divisi keeps in sync, relative to the project: they do not count as uncommitted changes. */
  readonly own?: readonly string[];
  /** Commits will be signed: refuses a key that cannot be used. */
  readonly sign?: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface BegunWorkspace {
  readonly facts: Pick<WorkspaceFacts, 'kind' | 'base' | 'branch' | 'identity' | 'uncommitted'>;
  /** What people should know about its rooms. */
  readonly remarks: readonly string[];
}

export async function beginWorkspace(repository: Repository, spec: WorkspaceSpec): Promise<BegunWorkspace> {
  const { kind } = repository;
  const branch = runBranch(spec.run);
  if (kind === 'copy') {
    if (spec.baseBranch !== undefined) throw unknownBase(spec.baseBranch);
    refuseEarlierWork(spec.buildsOn ?? []);
    const identity = ownIdentity;
    const { base, remarks } = await copyBase(repository, spec, identity);
    return { facts: { kind, base, branch, identity, uncommitted: 0 }, remarks };
  }
  const identity = await identityOf(repository);
  const own = await baseOf(repository, spec.baseBranch);
  await refuseUnsupported(repository);
  const base = await withEarlierWork(repository, own, { ...spec, identity });
  const remarks = await inspectBase(repository, base);
  if (spec.sign === true) await trySigning(repository, { base, identity, at: spec.at });
  const uncommitted = await uncommittedIn(repository, spec.own ?? []);
  return { facts: { kind, base, branch, identity, uncommitted }, remarks };
}

/** Creates the run's branch; an existing one is left alone. */
export async function ensureRunBranch(
  repository: Repository,
  { branch, base, head }: { readonly branch: string; readonly base: string; readonly head?: string | undefined },
): Promise<void> {
  await withRepositoryLock(repository, async () => {
    if ((await branchHead(repository, branch)) !== undefined) return;
    const to = head ?? base;
    await updateRefs(repository, [
      { ref: `refs/heads/${branch}`, to, from: '0'.repeat(to.length) },
      { ref: keepRef(branch), to },
    ]);
  });
}

const ownIdentity: CommitIdentity = { name: 'Divisi', email: 'divisi@localhost' };

/** Before agents are paid for work that could not be merged. The commit is on no branch. */
async function trySigning(
  repository: Repository,
  { base, identity, at }: Pick<NewCommit, 'identity' | 'at'> & { readonly base: string },
): Promise<void> {
  const message = 'Divisi can sign commits';
  await commitTree(repository, { tree: `${base}^{tree}`, parents: [base], message, identity, at, sign: usualSigning });
}

/** Without a branch the commit would be unreachable, so the run's branch is created with it. */
async function copyBase(
  repository: Repository,
  { run, at }: WorkspaceSpec,
  identity: CommitIdentity,
): Promise<{ readonly base: string; readonly remarks: readonly string[] }> {
  await makeStore(repository);
  const message = `The folder as ${run} found it`;
  const base = await withRepositoryLock(repository, () =>
    commitFolder(repository, { parents: [], message, identity, at }),
  );
  await refuseUnsupported(repository);
  const remarks = await inspectBase(repository, base);
  await ensureRunBranch(repository, { branch: runBranch(run), base });
  return { base, remarks };
}

/** The commit that a new run starts from. */
export async function baseOf(repository: Repository, name: string | undefined): Promise<string> {
  if (name?.startsWith('-') || name === '') throw unknownBase(name);
  // Prefers a branch over a tag of the same name; git would prefer the tag.
  for (const rev of name === undefined ? ['HEAD'] : [`refs/heads/${name}`, name]) {
    const look = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`];
    const commit = await gitText(checkout(repository), look, { answers: [0, 1, 128] });
    if (commit !== '') return commit;
  }
  if (name !== undefined) throw unknownBase(name);
  throw divisiError('WORKSPACE_UNSUPPORTED', {
    message: 'this repository has no commits yet, and every task starts from one',
    next: 'Make a first commit: git add . && git commit -m "First"',
  });
}

function unknownBase(name: string): Error {
  return divisiError('WORKSPACE_BASE_UNKNOWN', {
    message: `there is no branch or commit named ${oneLine(name, 100)} to start from`,
    next: 'Name one that `git branch --all` lists, or omit it to start from what is checked out.',
  });
}

async function identityOf(repository: Repository): Promise<CommitIdentity> {
  const read = async (name: string, otherwise: string): Promise<string> => {
    const asked = await git(checkout(repository), ['config', '--get', name], { answers: [0, 1] });
    return flatten(asked.stdout.toString('utf8').replace(/[<>]/g, '')) || otherwise;
  };
  return { name: await read('user.name', ownIdentity.name), email: await read('user.email', ownIdentity.email) };
}

/** The number of changes in the checkout. Leaves no trace: the user's index is not refreshed. */
export async function uncommittedIn(repository: Repository, own: readonly string[]): Promise<number> {
  const { prefix } = repository;
  const look = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal'];
  const { stdout } = await git(checkout(repository), look);
  const paths = fieldsOf(stdout).map((entry) => entry.slice(3));
  const isOwn = (path: string): boolean =>
    path.startsWith(`${prefix}.divisi/`) || own.some((file) => path === prefix + file);
  return paths.filter((path) => !isOwn(path)).length;
}
