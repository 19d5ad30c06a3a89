/**
 * Finished work may be looked at once more (`divisi verify`) beside the process that works on the run, and without holding it. What
 * belongs to somebody who is still at that is known by a name with the process in it, and is left alone by whoever tidies up.
 */
import { isAliveHere, ownIdentity } from '../process/identity.ts';
import { type ReapResult, reap } from '../process/reap.ts';

/** Of the folder, and of the processes. */
export function verifierName(): string {
  const { pid, started } = ownIdentity('');
  return `again-${pid}-${started}`;
}

/** By the name of a folder or a process: whether it belongs to another process than this one, which lives. */
export function isOfLivingVerifier(name: string): boolean {
  const [, pid, started = ''] = /^again-(\d+)-(\d*)(?:-merged)?$/.exec(name) ?? [];
  if (pid === undefined || Number(pid) === process.pid) return false;
  return isAliveHere({ ...ownIdentity(''), pid: Number(pid), started });
}

/** Ends what the run has left running. */
export async function reapRun(run: string): Promise<ReapResult> {
  return reap(run, { spare: isOfLivingVerifier });
}
