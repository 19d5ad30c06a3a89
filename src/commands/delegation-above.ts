/** Finds the delegation this process runs inside, where an agent gave the command. */
import { oneLine } from '../base/text.ts';
import { runPath } from '../delegation/path.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import { markerOf } from '../process/marker.ts';

/** An unknown marker, such as one of another project, counts as one agent. */
export function callerPath(ledger: LedgerReader, environment: NodeJS.ProcessEnv): string[] | undefined {
  const marker = markerOf(environment);
  if (marker === undefined) return undefined;
  const row = ledger.runs().find(({ run }) => run === marker.run);
  if (row !== undefined) {
    for (const event of ledger.read(row.run)) {
      if (event.kind === 'delegation.registered' && event.delegation === marker.delegation) return event.path;
    }
  }
  return runPath(oneLine(environment['DIVISI_AGENT'] ?? '', 64) || 'agent');
}
