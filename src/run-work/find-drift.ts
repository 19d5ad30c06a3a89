/** Finds files of finished work that differ on the run's branch from how that work left them. */
import { endedAt } from '../core/state/task-state.ts';
import type { EventOf } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';

export type DriftedFiles = EventOf<'work.drifted'>['files'];

export interface BranchFiles {
  /** Path → hash of the files that exist at a commit. */
  filesAt(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** `commit` is an ancestor of `within`. */
  contains(commit: string, within: string): Promise<boolean>;
}

interface Touch {
  readonly task: string;
  readonly print: string;
  /** On the run's branch. */
  readonly commit: string | null;
}

/** Per file. Only tasks that ran at the same time may be merged in another order than they ended in. */
const mostTouches = 20;

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

type Touched = Map<string, Touch[]>;

/** Path → its last touches since it was deleted, in the order in which the work ended. */
function touchedFiles({ tasks, gateTasks }: RunState): Touched {
  const touched: Touched = new Map();
  const ended = [...tasks.values(), ...gateTasks.values()].toSorted((one, other) => endedAt(one) - endedAt(other));
  for (const { planned, progress, attempt } of ended) {
    const commit = attempt?.commit ?? null;
    if (progress.status !== 'completed' || progress.outcome === undefined) continue;
    const { files, fileHashes = {} } = progress.outcome;
    for (const path of files) {
      const hash = fileHashes[path];
      if (hash === undefined) touched.delete(path);
      else
        touched.set(
          path,
          [...(touched.get(path) ?? []), { task: planned.id, print: hash, commit }].slice(-mostTouches),
        );
    }
  }
  return touched;
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
