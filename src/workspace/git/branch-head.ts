/** Reads the commit a branch points at; undefined if the branch does not exist. */
import { gitText } from './git.ts';
import { type Repository, shared } from './repository.ts';

export async function branchHead(repository: Repository, branch: string): Promise<string | undefined> {
  const commit = `refs/heads/${branch}^{commit}`;
  const head = await gitText(shared(repository), ['rev-parse', '--verify', '--quiet', commit], { answers: [0, 1] });
  return head === '' ? undefined : head;
}
