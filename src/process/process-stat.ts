/**
 * Reads the state of a process from `/proc/<pid>/stat`. Pids are reused; a pid with a start time is unique. Linux only: elsewhere
 * every answer is null.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Identifies a process beyond pid reuse. */
export interface ProcessId {
  readonly pid: number;
  /** Ticks since boot; empty where the system does not say. */
  readonly started: string;
}

export interface ProcessStat extends ProcessId {
  /** Ended, but not reaped by its parent. */
  readonly zombie: boolean;
  readonly group: number;
  readonly parent: number;
  /** Processor time in hundredths of a second, its ended children included. */
  readonly ticks: number;
}

export const canReadProcesses: boolean = process.platform === 'linux';

/** Null if the process does not exist. */
export function processStat(pid: number): ProcessStat | null {
  const text = readProcess(pid, 'stat');
  return text === null ? null : parseStat(pid, text);
}

/** The program chooses the name in brackets: it may contain blanks and brackets. */
export function parseStat(pid: number, text: string): ProcessStat | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const started = fields[19];
  if (state === undefined || group === undefined || started === undefined) return null;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + (Number(field) || 0), 0);
  return { pid, started, zombie: state === 'Z' || state === 'X', group: Number(group), parent: Number(parent), ticks };
}

/** Null if the process is gone, or belongs to another user. */
export function readProcess(pid: number, file: 'stat' | 'environ' | 'comm' | 'cmdline'): string | null {
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

/** Compares the start time as well: the pid may have been reused. */
export function isRunning({ pid, started }: ProcessId): boolean {
  const stat = processStat(pid);
  return stat !== null && !stat.zombie && stat.started === started;
}
