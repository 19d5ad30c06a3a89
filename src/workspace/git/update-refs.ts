/** Changes refs of the repository in one transaction: all of them or none. Called under the repository's lock. */
import { failedGit, type GitSaid } from './git.ts';
import { askGit } from './git-session.ts';
import { type Repository, shared } from './repository.ts';

export interface RefChange {
  /** `refs/…`. */
  readonly ref: string;
  /** The new commit; absent to delete the ref, which may be missing. */
  readonly to?: string;
  /** Only if it is there now; all zeros if it must not exist. */
  readonly from?: string;
}

/** A code other than 0 says that nothing was changed, such as when a ref is not where its change expects it. */
export function tryUpdateRefs(repository: Repository, changes: readonly RefChange[]): Promise<GitSaid> {
  const commands = changes.map(({ ref, to, from = '' }) =>
    to === undefined ? `delete ${ref}\0${from}\0` : `update ${ref}\0${to}\0${from}\0`,
  );
  const update = ['update-ref', '-m', 'divisi', '--stdin', '-z'];
  const text = `start\0${commands.join('')}commit\0`;
  return askGit(shared(repository), update, { text, ending: 'commit: ok\n' });
}

export async function updateRefs(repository: Repository, changes: readonly RefChange[]): Promise<void> {
  if (changes.length === 0) return;
  const said = await tryUpdateRefs(repository, changes);
  if (said.code !== 0) throw failedGit('update-ref', said);
}
