/** Refuses repositories in which rooms cannot work, before anything starts. */
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import { fieldsOf, git, gitAsUser } from './git.ts';
import { checkout, type Repository, shared } from './repository.ts';

export async function refuseUnsupported(repository: Repository, base: string): Promise<void> {
  await refuseSparse(repository);
  await refuseBranchesInTheWay(repository);
  const { stdout } = await git(shared(repository), ['ls-tree', '-r', '-z', '--full-tree', base]);
  const attributes: string[] = [];
  for (const entry of fieldsOf(stdout)) {
    const path = entry.slice(entry.indexOf('\t') + 1);
    if (entry.startsWith('160000')) throw unsupportedModule(repository, path);
    if (/(?:^|\/)\.gitattributes$/.test(path)) attributes.push(path);
  }
  for (const path of attributes) await refuseLargeFiles(repository, base, path);
}

async function refuseSparse(repository: Repository): Promise<void> {
  if (repository.kind === 'copy') return;
  // The user's own setting: ours turn it off.
  const asked = await gitAsUser(checkout(repository), ['config', '--type=bool', '--get', 'core.sparseCheckout'], {
    answers: [0, 1],
  });
  if (asked.stdout.toString('utf8').trim() !== 'true') return;
  throw unsupported(
    'sparse checkouts are not supported yet',
    'Disable it (git sparse-checkout disable), or run divisi in a full checkout.',
  );
}

/** A branch cannot exist if a part of its path is another branch. */
async function refuseBranchesInTheWay(repository: Repository): Promise<void> {
  for (const name of ['divisi', 'divisi-task']) {
    const ref = `refs/heads/${name}`;
    const asked = await git(shared(repository), ['show-ref', '--verify', '--quiet', ref], { answers: [0, 1] });
    if (asked.code !== 0) continue;
    throw unsupported(
      `the branch ${name} blocks branches named ${name}/…`,
      `Rename it: git branch -m ${name} another-name`,
    );
  }
}

async function refuseLargeFiles(repository: Repository, base: string, path: string): Promise<void> {
  const { stdout } = await git(shared(repository), ['cat-file', 'blob', `${base}:${path}`]);
  if (!/^[^#\n]*\bfilter=lfs\b/m.test(stdout.toString('utf8'))) return;
  throw unsupported(
    `${oneLine(path, 100)} uses Git LFS (filter=lfs), which is not supported yet`,
    'Run divisi on a branch without it.',
  );
}

function unsupportedModule({ kind }: Repository, path: string): Error {
  const name = oneLine(path, 100);
  return kind === 'git'
    ? unsupported(
        `${name} is a submodule, and tasks cannot work on repositories with submodules yet`,
        'Run divisi inside the submodule, or on a branch without it.',
      )
    : unsupported(
        `${name} is a repository inside a folder that is not one`,
        'Run divisi inside that repository, or list it in a .gitignore of this folder.',
      );
}

function unsupported(message: string, next: string): Error {
  return divisiError('WORKSPACE_UNSUPPORTED', { message, next });
}
