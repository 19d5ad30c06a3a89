/**
 * Process group: signals the group that a detached child leads, by the child's pid.
 *
 * Until the child is reaped, the pid is its own. Afterwards the pid stays reserved while the group has members, and then may be
 * reused. After the leader's end, the group is signalled only if one of its members at that moment is still running.
 *
 * A leader that confines the others ends all of them at once when it ends: it is spared any signal but SIGKILL, so that they have time.
 */
import { allPids, canReadProcesses, isRunning, type ProcessStat, processStat } from './process-stat.ts';

export interface ProcessGroup {
  /** Call when the leader ended. */
  leaderEnded(): void;
  signal(signal: NodeJS.Signals): void;
  isEmpty(): boolean;
}

export function processGroup(leader: number, { sparesLeader = false } = {}): ProcessGroup {
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
      if (!isOurs()) return;
      const others = sparesLeader && signal !== 'SIGKILL' ? members().filter(({ pid }) => pid !== leader) : [];
      if (others.length === 0) send(-leader, signal);
      else for (const { pid } of others) send(pid, signal);
    },
    isEmpty() {
      if (!isOurs()) return true;
      return canReadProcesses ? members().length === 0 : !send(-leader, 0);
    },
  };
}

/** A negative number is a group. False if no process received it. */
function send(to: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(to, signal);
  } catch {
    return false;
  }
}
