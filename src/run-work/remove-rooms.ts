/**
 * Removes the rooms of tasks that have completed, in the background and one after another. Their branches follow, those of several
 * tasks at once: deleting some takes a look at all worktrees of the user.
 */
import type { TaskState } from '../core/state/task-state.ts';
import type { Repository } from '../workspace/git/repository.ts';
import { removeRefs, removeRoom } from '../workspace/git/room/remove-room.ts';
import { attemptBranch, attemptName, roomFolder, setAsideName, taskRoom } from '../workspace/git/room/room-name.ts';

export interface RoomRemover {
  remove(task: TaskState): void;
  /** A task that runs again waits until nothing is left of its old room. */
  gone(task: string): Promise<void>;
  idle(): Promise<void>;
}

/** Tasks whose branches are deleted at once. */
const atOnce = 20;

export function roomRemover(repository: Repository, run: string, warn: (error: unknown) => void): RoomRemover {
  let last: Promise<void> = Promise.resolve();
  const leaving = new Set<string>();
  let gone: { readonly task: string; readonly branches: string[]; readonly rooms: string[] }[] = [];

  function next(work: () => Promise<void>): Promise<void> {
    last = last.then(work).catch(warn);
    return last;
  }

  async function removeOne(task: TaskState): Promise<void> {
    const attempts = attemptNames(task);
    const rooms = [taskRoom(task.planned.id), ...attempts.map(setAsideName)].map((name) =>
      roomFolder(repository, run, name),
    );
    for (const folder of rooms) await removeRoom(repository, { folder, warn });
    gone.push({ task: task.planned.id, branches: attempts.map((name) => attemptBranch(run, name)), rooms });
    if (gone.length >= atOnce) await removeGone();
  }

  /** Branches that a crash leaves are removed when the run is opened again. */
  async function removeGone(): Promise<void> {
    const some = gone;
    gone = [];
    for (const { task } of some) leaving.delete(task);
    if (some.length === 0) return;
    const [branches, rooms] = [some.flatMap((one) => one.branches), some.flatMap((one) => one.rooms)];
    await removeRefs(repository, { branches, rooms });
  }

  return {
    remove(task) {
      leaving.add(task.planned.id);
      void next(() => removeOne(task));
    },
    gone: async (task) => (leaving.has(task) ? next(removeGone) : undefined),
    idle: () => next(removeGone),
  };
}

export function attemptNames({ planned, attempts }: TaskState): string[] {
  return Array.from({ length: attempts }, (_, at) => attemptName(planned.id, at + 1));
}
