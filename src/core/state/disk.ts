/** Disk: whether the disk with the rooms has space to start more work. Measured outside, and known here by events only. */
import type { EventOf } from '../event/event.ts';

export interface DiskState {
  /** Absent space: nothing new starts. Null while there is enough, or a person wants to continue anyway. */
  low: LowDisk | null;
  /** A person said so, for the rest of the run. */
  isAccepted: boolean;
}

export interface LowDisk {
  /** Bytes. */
  readonly free: number;
  readonly needs: number;
  /** Milliseconds, wall clock. */
  readonly since: number;
  /** Time to ask a person. */
  readonly isOverdue: boolean;
}

/** Milliseconds of waiting before a person is asked. */
const patience = 10 * 60_000;

export function newDisk(): DiskState {
  return { low: null, isAccepted: false };
}

/** The wait began with the first of several measurements. */
export function measureDisk(disk: DiskState, { free, needs, at }: EventOf<'disk.measured'>): void {
  const { since = at, isOverdue = false } = disk.low ?? {};
  disk.low = free < needs && !disk.isAccepted ? { free, needs, since, isOverdue } : null;
}

export function reachTime(disk: DiskState, time: number): void {
  if (disk.low !== null && time >= disk.low.since + patience) disk.low = { ...disk.low, isOverdue: true };
}

/** When a person is to be asked; undefined while there is enough space, and once it is time. */
export function askAboutDiskAt({ low }: DiskState): number | undefined {
  return low === null || low.isOverdue ? undefined : low.since + patience;
}

export function diskText({ free, needs }: Pick<LowDisk, 'free' | 'needs'>): string {
  return `${sizeOf(free)} free on the disk with the rooms, ${sizeOf(needs)} needed to start more (workspace.disk)`;
}

const sizeOf = (bytes: number): string =>
  bytes < 1024 ** 3 ? `${Math.floor(bytes / 1024 ** 2)} MiB` : `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
