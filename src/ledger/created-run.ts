/** What a run is, by its first event alone: whoever looks through many of them folds none. */
import type { RunId } from '../base/ids.ts';
import type { EventOf } from '../core/event/event.ts';
import type { LedgerReader } from './ledger.ts';

export function createdRun(ledger: Pick<LedgerReader, 'read'>, run: RunId): EventOf<'run.created'> | undefined {
  for (const event of ledger.read(run)) return event.kind === 'run.created' ? event : undefined;
  return undefined;
}
