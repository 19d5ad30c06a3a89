/** Work on a run while this process holds it. */
import type { RunId } from '../contracts/ids.ts';
import type { Held, Lease } from '../ledger/lease.ts';
import type { Ledger, LedgerReader } from '../ledger/ledger.ts';
import { isAlive, ownIdentity } from '../process/identity.ts';

export interface Holding {
  /** How this process is called, for whoever finds the run held by it. */
  readonly command: string;
  /** Worth a word, but no reason to stop. */
  readonly warn: (error: unknown) => void;
}

/** Who works on the run now; null when nobody does, or nobody any more. */
export function livingHolder(ledger: LedgerReader, run: RunId): Held | null {
  const held = ledger.holder(run);
  return held !== null && isAlive(held.holder) ? held : null;
}

/** Refused (LEASE_HELD) while another process that is alive holds the run. */
export async function withLease<T>(
  ledger: Ledger,
  run: RunId,
  { command, warn }: Holding,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = ledger.take(run, ownIdentity(command), isAlive);
  try {
    return await work(lease);
  } finally {
    try {
      lease.release();
    } catch (error) {
      // The process ends: whoever comes next sees that it is gone.
      warn(error);
    }
  }
}
