/** Holds the lease of a run while work is done on it. */
import type { RunId } from '../base/ids.ts';
import type { Held, Lease } from '../ledger/lease.ts';
import type { Ledger, LedgerReader } from '../ledger/ledger.ts';
import { isAlive, isAliveHere, ownIdentity } from '../process/identity.ts';

export interface Holding {
  /** The command line of this process, shown to others that find the run held. */
  readonly command: string;
  /** Reports a problem that does not stop the work. */
  readonly warn: (error: unknown) => void;
  /** Treats a holder on another machine as gone. */
  readonly takeOver?: boolean;
}

/** The live process that works on the run; null where there is none. */
export function livingHolder(ledger: LedgerReader, run: RunId, takeOver = false): Held | null {
  const held = ledger.holder(run);
  const lives = takeOver ? isAliveHere : isAlive;
  return held !== null && lives(held.holder) ? held : null;
}

/** Refuses (LEASE_HELD) while another live process holds the run. */
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
      // The process ends anyway: the next one sees that it is gone.
      warn(error);
    }
  }
}

/** Discards stop requests to an earlier process: this one is here to continue the run. */
function forgetStops(ledger: Ledger, lease: Lease): void {
  const { rows, unreadable } = ledger.inbox(lease.run);
  const stops = rows.filter(({ message }) => message.kind === 'pause' || message.kind === 'cancel').map(({ id }) => id);
  lease.append([], [...stops, ...unreadable]);
}
