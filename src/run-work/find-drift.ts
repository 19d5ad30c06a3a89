/** Finds files of finished work that differ on the run's branch from how that work left them. */
import type { EventOf } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import { type Touch, touchedFiles } from '../core/state/touched-files.ts';

export type DriftedFiles = EventOf<'work.drifted'>['files'];

export interface BranchFiles {
  /** Path → hash of the files that exist at a commit. */
  filesAt(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** `commit` is an ancestor of `within`. */
  contains(commit: string, within: string): Promise<boolean>;
}

/** The last task that touched a file answers for it; a file that it deleted is not missing. */
export async function findDrift(state: RunState, head: string, branch: BranchFiles): Promise<DriftedFiles> {
  const touched = touchedFiles(state);
  const now = await branch.filesAt(head, [...touched.keys()]);
  const suspects = [...touched].filter(([path, touches]) => touches.at(-1)?.print !== now.get(path));
  const merged = await asMerged(suspects, head, branch);
  return suspects.flatMap(([path, touches]) => {
    const last = touches.at(-1);
    const found = now.get(path);
    // A file as any of these merges left it has not drifted; the order of merges is not recorded.
    const left = found === undefined ? touches.slice(-1) : touches;
    const isAsLeft = left.some(({ commit }) => {
      const files = merged.get(commit ?? '');
      return files !== undefined && files.get(path) === found;
    });
    if (last === undefined || isAsLeft) return [];
    return [{ path, task: last.task, found: found === undefined ? 'missing' : 'changed' }];
  });
}

/** Commit → its content of these files, for commits that are still on the branch. */
async function asMerged(
  suspects: readonly (readonly [path: string, touches: readonly Touch[]])[],
  head: string,
  branch: BranchFiles,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const paths = new Map<string, string[]>();
  for (const [path, touches] of suspects) {
    for (const { commit } of touches) if (commit !== null) paths.set(commit, [...(paths.get(commit) ?? []), path]);
  }
  const merged = new Map<string, ReadonlyMap<string, string>>();
  for (const [commit, some] of paths) {
    if (await branch.contains(commit, head)) merged.set(commit, await branch.filesAt(commit, some));
  }
  return merged;
}
