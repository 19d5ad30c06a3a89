/** Refuses repositories in which rooms cannot work, before anything starts. */
import { divisiError } from '../../base/error.ts';
import { git, gitAsUser } from './git.ts';
import { checkout, type Repository, shared } from './repository.ts';

export async function refuseUnsupported(repository: Repository): Promise<void> {
  await refuseSparse(repository);
  await refuseBranchesInTheWay(repository);
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
    const asked = await git(shared(repository), ['show-ref', '--verify', '--quiet', '--end-of-options', ref], {
      answers: [0, 1],
    });
    if (asked.code !== 0) continue;
    throw unsupported(
      `the branch ${name} blocks branches named ${name}/…`,
      `Rename it: git branch -m ${name} another-name`,
    );
  }
}

function unsupported(message: string, next: string): Error {
  return divisiError('WORKSPACE_UNSUPPORTED', { message, next });
}
