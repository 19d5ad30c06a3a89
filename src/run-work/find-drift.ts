/** Files of finished work that are not on the run's branch as that work left them. */
import type { EventOf } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';

export type Drifted = EventOf<'work.drifted'>['files'];

export interface BranchFiles {
  /** What files hold at a commit: path → fingerprint, without what is not there. */
  filesAt(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Whether one commit leads to another, which is there. */
  contains(commit: string, within: string): Promise<boolean>;
}

interface Touch {
  readonly task: string;
  readonly print: string;
  /** In the run's branch. */
  readonly commit: string | null;
}

/** Of one file. Only those that were at work at the same time may have been merged in another order than they ended in. */
const mostTouches = 20;

/** The last one to have touched a file answers for it; what that one has taken away is not missing. */
export async function findDrift(state: RunState, head: string, branch: BranchFiles): Promise<Drifted> {
  const touched = touchedFiles(state);
  const now = await branch.filesAt(head, [...touched.keys()]);
  const suspects = [...touched].filter(([path, touches]) => touches.at(-1)?.print !== now.get(path));
  const merged = await asMerged(suspects, head, branch);
  return suspects.flatMap(([path, touches]) => {
    const last = touches.at(-1);
    const found = now.get(path);
    // What merging made of it, together with the work of others, is as it was left. Who merged last, nobody has written down.
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

/** The last ones since it was taken away, in the order in which the work ended. */
function touchedFiles({ tasks, gateTasks }: RunState): Touched {
  const touched: Touched = new Map();
  const ended = [...tasks.values(), ...gateTasks.values()].toSorted((one, other) => one.endedAt - other.endedAt);
  for (const { planned, progress, commit } of ended) {
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

/** How the commits of those who touched them have these files, as far as they are still in the branch. */
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
