/**
 * Finds and kills orphaned processes of a run: those of a dead orchestrator, and those that left their group. Linux only, where
 * the environment of a process can be read; elsewhere it reports that it cannot look, never that nothing is there.
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
  /** `left`: still running after the timeout: of another user, or stuck in the kernel. */
  | { readonly supported: true; readonly killed: readonly number[]; readonly left: readonly number[] }
  | { readonly supported: false };

export interface ReapOptions {
  /** Only this delegation's processes. */
  readonly delegation?: string;
  /** Leaves the processes of these delegations alone. */
  readonly spare?: (delegation: string) => boolean;
  /** Milliseconds before it gives up. */
  readonly patience?: number;
}

/** Every running process with the run's marker, except this one. */
export function findMarked(run: string, delegation?: string): MarkedProcesses {
  if (!canReadProcesses) return { supported: false };
  const processes: Marked[] = [];
  for (const pid of allPids()) {
    // Almost all processes are others'.
    if (pid === process.pid || !carriesMarker(readProcess(pid, 'environ') ?? '', run, delegation)) continue;
    const before = processStat(pid);
    const environ = readProcess(pid, 'environ');
    if (before === null || before.zombie || environ === null || !carriesMarker(environ, run, delegation)) continue;
    // The pid may have been reused between the two reads.
    if (isRunning(before)) processes.push({ pid, started: before.started, delegation: delegationIn(environ) });
  }
  return { supported: true, processes };
}

/**
 * Repeats until it finds nothing: a process may start others while it is being killed. Also waits for the killed ones: a process
 * that is about to end no longer shows its environment.
 */
export async function reap(run: string, options: ReapOptions = {}): Promise<ReapResult> {
  const { delegation, spare = () => false, patience = 5000 } = options;
  const killed = new Map<number, ProcessId>();
  const until = performance.now() + patience;
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    const found = findMarked(run, delegation);
    if (!found.supported) return found;
    const left = found.processes.filter((one) => !spare(one.delegation));
    const ending = [...killed.values()].filter(isRunning);
    if (left.length + ending.length === 0 || performance.now() > until) {
      const pids = new Set([...left, ...ending].map(({ pid }) => pid));
      return { supported: true, killed: [...killed.keys()], left: [...pids] };
    }
    for (const one of left) if (killProcess(one)) killed.set(one.pid, one);
    await sleep(pause);
  }
}

/** False if the process is gone, its pid was reused, or it belongs to another user. */
export function killProcess(one: ProcessId): boolean {
  if (!isRunning(one)) return false;
  try {
    return process.kill(one.pid, 'SIGKILL');
  } catch {
    return false;
  }
}
