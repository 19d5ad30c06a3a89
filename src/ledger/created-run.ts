/** Reads a run's first event alone, for callers that look at many runs and fold none. */
import type { RunId } from '../base/ids.ts';
import type { EventOf } from '../core/event/event.ts';
import type { LedgerReader } from './ledger.ts';

export function createdRun(ledger: Pick<LedgerReader, 'read'>, run: RunId): EventOf<'run.created'> | undefined {
  for (const event of ledger.read(run)) return event.kind === 'run.created' ? event : undefined;
  return undefined;
}
