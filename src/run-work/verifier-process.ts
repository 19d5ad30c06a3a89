/**
 * Names the folders and processes of `divisi verify`, which runs without the lease beside the process that works on the run. The
 * name contains the verifier's process, so cleanup spares those of a live verifier.
 */
import { isAliveHere, ownIdentity } from '../process/identity.ts';
import { type ReapResult, reap } from '../process/reap.ts';

/** Name of the folder and marker of the processes. */
export function verifierName(): string {
  const { pid, started } = ownIdentity('');
  return `again-${pid}-${started}`;
}

/** The name belongs to a live verifier in another process. */
export function isLiveVerifier(name: string): boolean {
  const [, pid, started = ''] = /^again-(\d+)-(\d*)(?:_merged)?$/.exec(name) ?? [];
  if (pid === undefined || Number(pid) === process.pid) return false;
  return isAliveHere({ ...ownIdentity(''), pid: Number(pid), started });
}

/** Ends the processes that the run left behind. */
export async function reapRun(run: string): Promise<ReapResult> {
  return reap(run, { spare: isLiveVerifier });
}
