/** Identity: identifies a process beyond its pid, which is reused. Another process can check later whether it is still alive. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemCode } from '../base/error.ts';
import { canReadProcesses, isRunning, processStat, readProcess } from './process-stat.ts';

export interface Identity {
  readonly pid: number;
  readonly host: string;
  /** Changes with every boot; empty where the system does not say. */
  readonly boot: string;
  readonly started: string;
  readonly command: string;
}

export function ownIdentity(command: string): Identity {
  return { ...identityOf(process.pid), command };
}

function identityOf(pid: number): Omit<Identity, 'command'> {
  return { pid, host: hostname(), boot: bootId(), started: processStat(pid)?.started ?? '' };
}

const shells = new Set(['sh', 'ash', 'bash', 'busybox', 'dash', 'fish', 'ksh', 'zsh']);

/** The client that started this process, itself or through a shell; undefined where the system does not say. */
export function clientIdentity(): Omit<Identity, 'command'> | undefined {
  if (!canReadProcesses) return undefined;
  let pid = process.ppid;
  while (pid > 1 && shells.has(readProcess(pid, 'comm')?.trim() ?? '')) pid = processStat(pid)?.parent ?? 0;
  return pid > 1 ? identityOf(pid) : undefined;
}

/**
 * A process on another machine cannot be inspected and counts as alive: better to ask a person than to run two. Where the system
 * reports neither boot nor start time, any process with that pid counts.
 */
export function isAlive(identity: Omit<Identity, 'command'>): boolean {
  if (identity.host !== hostname()) return true;
  if (!canReadProcesses) return exists(identity.pid);
  return identity.boot === bootId() && isRunning(identity);
}

/** As `isAlive`, after a person confirmed that nothing of it runs on the other machine. */
export function isAliveHere(identity: Omit<Identity, 'command'>): boolean {
  return identity.host === hostname() && isAlive(identity);
}

function bootId(): string {
  if (!canReadProcesses) return '';
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists, and belongs to another user.
    return systemCode(error) === 'EPERM';
  }
}
