/**
 * What Linux says of a process, from `/proc/<pid>/stat`. A pid is used again by another process; a pid and a start time are
 * not. Elsewhere there is nothing to read, and every answer is null.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Enough to know a process again. */
export interface ProcessId {
  readonly pid: number;
  /** Ticks since the machine was started; empty where the system does not say. */
  readonly started: string;
}

export interface ProcessStat extends ProcessId {
  /** Ended, and only waiting for its parent to notice. */
  readonly zombie: boolean;
  readonly group: number;
  /** Processor time, in hundredths of a second: its own, and that of its children which have ended. */
  readonly ticks: number;
}

export const canReadProcesses: boolean = process.platform === 'linux';

/** Null when there is no such process. */
export function processStat(pid: number): ProcessStat | null {
  const text = readProcess(pid, 'stat');
  return text === null ? null : parseStat(pid, text);
}

/** The name in brackets is the program's to choose: it may have blanks and brackets in it. */
export function parseStat(pid: number, text: string): ProcessStat | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const started = fields[19];
  if (state === undefined || group === undefined || started === undefined) return null;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + (Number(field) || 0), 0);
  return { pid, started, zombie: state === 'Z' || state === 'X', group: Number(group), ticks };
}

/** A file of a process; null when the process is gone, or is none of ours. */
export function readProcess(pid: number, file: 'stat' | 'environ'): string | null {
  if (!canReadProcesses) return null;
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return null;
  }
}

export function allPids(): number[] {
  if (!canReadProcesses) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Whether this very process is still there, and not just its number. */
export function isRunning({ pid, started }: ProcessId): boolean {
  const stat = processStat(pid);
  return stat !== null && !stat.zombie && stat.started === started;
}
