/**
 * Process group: signals the group that a detached child leads, by the child's pid.
 *
 * Until the child is reaped, the pid is its own. Afterwards the pid stays reserved while the group has members, and then may be
 * reused. After the leader's end, the group is signalled only if one of its members at that moment is still running.
 */
import { allPids, canReadProcesses, isRunning, type ProcessStat, processStat } from './process-stat.ts';

export interface ProcessGroup {
  /** Call when the leader ended. */
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

/** False if no process received it. */
function send(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}
