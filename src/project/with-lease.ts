/** Work on a run while this process holds it. */
import type { RunId } from '../base/ids.ts';
import type { Held, Lease } from '../ledger/lease.ts';
import type { Ledger, LedgerReader } from '../ledger/ledger.ts';
import { isAlive, isAliveHere, ownIdentity } from '../process/identity.ts';

export interface Holding {
  /** How this process is called, for whoever finds the run held by it. */
  readonly command: string;
  /** Worth a word, but no reason to stop. */
  readonly warn: (error: unknown) => void;
  /** A holder on another machine counts as gone. */
  readonly takeOver?: boolean;
}

/** Who works on the run now; null when nobody does, or nobody any more. */
export function livingHolder(ledger: LedgerReader, run: RunId, takeOver = false): Held | null {
  const held = ledger.holder(run);
  const lives = takeOver ? isAliveHere : isAlive;
  return held !== null && lives(held.holder) ? held : null;
}

/** Refused (LEASE_HELD) while another process that is alive holds the run. */
export async function withLease<T>(
  ledger: Ledger,
  run: RunId,
  { command, warn, takeOver }: Holding,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = ledger.take(run, ownIdentity(command), takeOver === true ? isAliveHere : isAlive);
  try {
    forgetStops(ledger, lease);
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

/** Whoever takes the run up wants it to go on: what an earlier process was told to do, and did not live to, is void. */
function forgetStops(ledger: Ledger, lease: Lease): void {
  const { rows, unreadable } = ledger.inbox(lease.run);
  const stops = rows.filter(({ message }) => message.kind === 'pause' || message.kind === 'cancel').map(({ id }) => id);
  lease.append([], [...stops, ...unreadable]);
}
