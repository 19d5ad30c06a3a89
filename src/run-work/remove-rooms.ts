/** Removes the rooms and branches of tasks that have completed, in the background and one after another. */
import type { TaskState } from '../core/state/task-state.ts';
import type { Repository } from '../workspace/git/repository.ts';
import { removeRefs, removeRoom } from '../workspace/git/room/remove-room.ts';
import { attemptBranch, attemptName, roomFolder, setAsideName, taskRoom } from '../workspace/git/room/room-name.ts';

export interface RoomRemover {
  remove(task: TaskState): void;
  /** A task that runs again waits until its old room is gone. */
  gone(task: string): Promise<void>;
  idle(): Promise<void>;
}

export function roomRemover(repository: Repository, run: string, warn: (error: unknown) => void): RoomRemover {
  let last: Promise<void> = Promise.resolve();
  const leaving = new Map<string, Promise<void>>();

  async function removeOne(task: TaskState): Promise<void> {
    const attempts = attemptNames(task);
    const rooms = [taskRoom(task.planned.id), ...attempts.map(setAsideName)].map((name) =>
      roomFolder(repository, run, name),
    );
    try {
      for (const folder of rooms) await removeRoom(repository, { folder });
      await removeRefs(repository, { branches: attempts.map((name) => attemptBranch(run, name)), rooms });
    } catch (error) {
      warn(error);
    } finally {
      leaving.delete(task.planned.id);
    }
  }

  return {
    remove(task) {
      last = last.then(async () => removeOne(task));
      leaving.set(task.planned.id, last);
    },
    gone: async (task) => leaving.get(task),
    idle: () => last,
  };
}

export function attemptNames({ planned, attempts }: TaskState): string[] {
  return Array.from({ length: attempts }, (_, at) => attemptName(planned.id, at + 1));
}
