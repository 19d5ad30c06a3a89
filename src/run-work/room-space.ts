/** Room space: measures whether the disk has space for more rooms of a run. */
import type { WorkspaceFacts } from '../core/event/verification.ts';
import { folderSize } from '../workspace/folder-size.ts';
import { freeSpace } from '../workspace/free-space.ts';

/** Bytes. */
export interface DiskSpace {
  readonly free: number;
  readonly needs: number;
}

/** `width`: how many rooms may be made at once. Undefined: no limit. */
export type LookAtDisk = (width: number) => DiskSpace | undefined;

export interface RoomSpace {
  readonly look: LookAtDisk;
  /** Measures the first room of a session in the background, as an estimate for those to come. */
  made(folder: string): void;
}

const least = 2 * 1024 ** 3;
const leastShare = 0.05;

export function roomSpace(rooms: string, facts: () => Pick<WorkspaceFacts, 'disk'>): RoomSpace {
  let room = 0;
  let isMeasured = false;
  return {
    look(width) {
      const { disk } = facts();
      if (disk === 0) return undefined;
      const { free, total } = freeSpace(rooms);
      return { free, needs: Math.ceil((disk ?? Math.max(least, total * leastShare)) + room * width) };
    },
    made(folder) {
      if (isMeasured) return;
      isMeasured = true;
      folderSize(folder).then(
        (bytes) => (room = bytes),
        () => undefined,
      );
    },
  };
}
