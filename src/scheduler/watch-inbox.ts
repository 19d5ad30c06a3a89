/** Watches the inbox of a run: what other processes leave there becomes a happening of its session. */
import { defined } from '../base/defined.ts';
import type { RunId } from '../base/ids.ts';
import type { Happening } from '../engine/engine.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { watchLedger } from '../ledger/watch-ledger.ts';

interface InboxReader {
  readonly deliver: (happening: Happening) => void;
  readonly fail: (error: unknown) => void;
}

/** Delivers each row once; the loop removes it with the event it becomes. */
export function watchInbox(ledger: Ledger, run: RunId, reader: InboxReader, signal: AbortSignal): void {
  const seen = new Set<number>();
  const look = (): void => {
    for (const { id: row, message } of ledger.inbox(run).rows) {
      if (seen.has(row)) continue;
      seen.add(row);
      if (message.kind === 'answer') {
        const { checkpoint: key, approved, note } = message;
        reader.deliver({ kind: 'answered', key, approved, row, ...defined({ note }) });
      } else if (message.kind === 'update') {
        reader.deliver({ kind: 'update', request: message.request, row });
      } else if (message.kind === 'pause' || message.kind === 'cancel') {
        reader.deliver({ kind: 'stop', how: message.kind, row });
      }
    }
  };
  look();
  // An error thrown in a timer would end the process and leave its agents running.
  const safely = (): void => {
    try {
      look();
    } catch (error) {
      reader.fail(error);
    }
  };
  watchLedger(ledger.file, safely, signal);
}
