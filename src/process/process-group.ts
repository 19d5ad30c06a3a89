/**
 * The group that a detached child leads, by the child's pid.
 *
 * While the child has not been waited for, its number is its own. Later it belongs to the group as long as the group has
 * members, and then to anyone: so the group is signalled after its leader's end only if someone who was in it at that
 * moment still is.
 */
import { allPids, canReadProcesses, isRunning, type ProcessStat, processStat } from './process-stat.ts';

export interface ProcessGroup {
  /** To be called when the leader has ended. */
  leaderEnded(): void;
  signal(signal: NodeJS.Signals): void;
  isEmpty(): boolean;
}

export function processGroup(leader: number): ProcessGroup {
  let remaining: readonly ProcessStat[] | null = null;

  const members = (): ProcessStat[] =>
    allPids()
      .map(processStat)
      .filter((stat) => stat !== null)
      .filter(({ group, zombie }) => group === leader && !zombie);

  function isOurs(): boolean {
    return remaining === null || !canReadProcesses || remaining.some(isRunning);
  }

  return {
    leaderEnded() {
      remaining = members();
    },
    signal(signal) {
      if (isOurs()) send(leader, signal);
    },
    isEmpty() {
      if (!isOurs()) return true;
      return canReadProcesses ? members().length === 0 : !send(leader, 0);
    },
  };
}

/** False when there is nobody to receive it. */
function send(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}
