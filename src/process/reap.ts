/**
 * Finding and ending the processes of a run that nobody watches any more: those of an orchestrator that died, and those
 * that left the group they were started in. Only on Linux, where the environment of a process can be read; elsewhere the
 * answer is that it cannot be done, never that nothing is there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { carriesMarker, delegationIn } from './marker.ts';
import { allPids, canReadProcesses, isRunning, type ProcessId, processStat, readProcess } from './process-stat.ts';

interface Marked extends ProcessId {
  readonly delegation: string;
}

export type MarkedProcesses =
  | { readonly supported: true; readonly processes: readonly Marked[] }
  | { readonly supported: false };

export type ReapResult =
  /** `left`: still there after all patience; not ours to end, or stuck in the system. */
  | { readonly supported: true; readonly killed: readonly number[]; readonly left: readonly number[] }
  | { readonly supported: false };

export interface ReapOptions {
  /** Only this delegation's processes. */
  readonly delegation?: string;
  /** Those of such a delegation are left alone. */
  readonly spare?: (delegation: string) => boolean;
  /** Milliseconds until it gives up on what will not end. */
  readonly patience?: number;
}

/** Every living process that carries the run's marker, without ourselves. */
export function findMarked(run: string, delegation?: string): MarkedProcesses {
  if (!canReadProcesses) return { supported: false };
  const processes: Marked[] = [];
  for (const pid of allPids()) {
    if (pid === process.pid) continue;
    const before = processStat(pid);
    const environ = readProcess(pid, 'environ');
    if (before === null || before.zombie || environ === null || !carriesMarker(environ, run, delegation)) continue;
    // The number may have changed hands between the two readings.
    if (isRunning(before)) processes.push({ pid, started: before.started, delegation: delegationIn(environ) });
  }
  return { supported: true, processes };
}

/**
 * Looks again after each round, because what is being killed may start others, until a look finds nothing. A process that
 * is about to end shows no environment any more, so what was killed is waited for as well.
 */
export async function reap(run: string, options: ReapOptions = {}): Promise<ReapResult> {
  const { delegation, spare = () => false, patience = 5000 } = options;
  const killed = new Map<number, ProcessId>();
  const until = Date.now() + patience;
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    const found = findMarked(run, delegation);
    if (!found.supported) return found;
    const left = found.processes.filter((one) => !spare(one.delegation));
    const ending = [...killed.values()].filter(isRunning);
    if (left.length + ending.length === 0 || Date.now() > until) {
      const pids = new Set([...left, ...ending].map(({ pid }) => pid));
      return { supported: true, killed: [...killed.keys()], left: [...pids] };
    }
    for (const one of left) if (killProcess(one)) killed.set(one.pid, one);
    await sleep(pause);
  }
}

/** False when that process is gone, or another has its number by now, or it is not ours to end. */
export function killProcess(one: ProcessId): boolean {
  if (!isRunning(one)) return false;
  try {
    return process.kill(one.pid, 'SIGKILL');
  } catch {
    return false;
  }
}
