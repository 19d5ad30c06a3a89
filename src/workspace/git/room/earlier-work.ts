/** Lets a run start from the work of earlier runs: their branches are merged with its base, without a checkout. */
import { oneLine } from '../../../base/text.ts';
import { divisiError } from '../../../base/error.ts';
import { projectPath } from '../changes.ts';
import { commitTree, type CommitIdentity, usualSigning } from '../commit-tree.ts';
import { isContained } from '../history.ts';
import { mergeTrees } from '../merge/merge-trees.ts';
import type { Repository } from '../repository.ts';

export interface EarlierWork {
  readonly run: string;
  /** Head of its branch; absent where that is gone. */
  readonly head?: string;
}

interface EarlierWorkSpec {
  readonly run: string;
  readonly buildsOn?: readonly EarlierWork[];
  readonly identity: CommitIdentity;
  readonly sign?: boolean;
  readonly at: number;
}

/** The base itself where there is no earlier work. */
export async function withEarlierWork(
  repository: Repository,
  base: string,
  { run, buildsOn = [], identity, at, ...more }: EarlierWorkSpec,
): Promise<string> {
  const sign = more.sign === true ? usualSigning : undefined;
  let commit = base;
  for (const { run: earlier, head } of buildsOn) {
    if (head === undefined) throw refused(earlier, 'its branch is gone', '');
    if (await isContained(repository, head, commit)) continue;
    if (await isContained(repository, commit, head)) {
      commit = head;
      continue;
    }
    const merged = await mergeTrees(repository, commit, head);
    if (merged.kind === 'conflict') {
      const files = merged.unsettled.map(({ path }) => oneLine(projectPath(repository, path), 120));
      const list = `${files.slice(0, 10).join(', ')}${files.length > 10 ? ` and ${files.length - 10} more` : ''}`;
      throw refused(earlier, `it conflicts with ${base.slice(0, 10)} in ${list}`);
    }
    const message = `Start from the work of ${earlier}`;
    const trailers = [['Divisi-Run', run]] as const;
    commit = await commitTree(repository, {
      tree: merged.tree,
      parents: [commit, head],
      message,
      trailers,
      identity,
      at,
      sign,
    });
  }
  return commit;
}

/** The store of a plain folder has no common history of two runs. */
export function refuseEarlierWork([first]: readonly EarlierWork[]): void {
  if (first !== undefined) throw refused(first.run, 'this folder is not a git repository');
}

function refused(
  run: string,
  why: string,
  instead = `\`divisi merge ${run} --yes\` merges it into your checkout; `,
): Error {
  return divisiError('MERGE_REFUSED', {
    message: `a new run cannot start from the work of ${run}: ${why}`,
    next: `Nothing was started. ${instead}\`--marks again\` does the tasks again.`,
    ids: { run },
  });
}
