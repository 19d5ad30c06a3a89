/**
 * Checks the events of a ledger against their schemas, each once per process: what is in the file names commands, commits and
 * branches, and something other than Divisi may have written it.
 */
import { DivisiError } from '../base/error.ts';
import type { RunId } from '../base/ids.ts';
import { checkEvent } from '../core/event/event.ts';
import type { Connection } from './connection.ts';
import { ledgerCorrupt } from './ledger-fault.ts';

/** Called with each event before it is used. */
export type CheckRead = (event: object, seq: number) => void;

/** The last event that was checked, by ledger and run. */
const checked = new Map<string, number>();

export function checkRead({ file, inode }: Pick<Connection, 'file' | 'inode'>, run: RunId): CheckRead {
  const key = `${inode ?? ''} ${file} ${run}`;
  return (event, seq) => {
    const last = checked.get(key) ?? 0;
    if (seq <= last) return;
    try {
      checkEvent(event);
    } catch (error) {
      if (!(error instanceof DivisiError)) throw error;
      throw ledgerCorrupt(file, `event ${seq} of ${run} is not one that Divisi writes: ${error.message}`, error);
    }
    // Events are read in order, but not always from the first one.
    if (seq === last + 1) checked.set(key, seq);
  };
}
