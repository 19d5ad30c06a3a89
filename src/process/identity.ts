/**
 * Who a process is, so that another one can tell later whether it still lives: a pid alone is used again, after a restart
 * of the machine at the latest.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemCode } from '../base/error.ts';
import { canReadProcesses, isRunning, processStat } from './process-stat.ts';

export interface Identity {
  readonly pid: number;
  readonly host: string;
  /** Differs after the machine was started again; empty where the system does not say. */
  readonly boot: string;
  readonly started: string;
  readonly command: string;
}

export function ownIdentity(command: string): Identity {
  const { pid } = process;
  return { pid, host: hostname(), boot: bootId(), started: processStat(pid)?.started ?? '', command };
}

/**
 * A process on another machine cannot be looked at and counts as alive: better to ask a person than to have two at work. Where
 * the system tells neither boot nor start time, any process of that number counts.
 */
export function isAlive(identity: Omit<Identity, 'command'>): boolean {
  if (identity.host !== hostname()) return true;
  if (!canReadProcesses) return exists(identity.pid);
  return identity.boot === bootId() && isRunning(identity);
}

/** The same, where a person vouches that nothing is left of it on the other machine. */
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
    // Somebody else's process: it is there.
    return systemCode(error) === 'EPERM';
  }
}
