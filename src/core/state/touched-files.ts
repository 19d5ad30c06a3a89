/** Lists the files that finished work has left, with the task that answers for each. */
import type { RunState } from './state.ts';
import { endedAt } from './task-state.ts';

export interface Touch {
  readonly task: string;
  /** Hash of the file as git has it. */
  readonly print: string;
  /** On the run's branch. */
  readonly commit: string | null;
}

/** Per file. Only tasks that ran at the same time may be merged in another order than they ended in. */
const mostTouches = 20;

/** Path → its last touches since it was deleted, in the order in which the work ended. */
export function touchedFiles({ tasks, gateTasks }: RunState): Map<string, Touch[]> {
  const touched = new Map<string, Touch[]>();
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
