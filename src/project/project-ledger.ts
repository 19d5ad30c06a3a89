/** The ledger of a project: where it is, to look at or to write. */
import { join } from 'node:path';
import { type Ledger, type LedgerReader, openLedger } from '../ledger/ledger.ts';
import { prepareFolder } from './prepare-folder.ts';

export const ledgerFile = (project: string): string => join(project, '.divisi', 'ledger.db');

/** For looking: makes nothing, locks nothing, and finds no runs where there is no ledger. */
export function readLedger(project: string): LedgerReader {
  return openLedger(ledgerFile(project), { readOnly: true });
}

/** The project's ledger, to write; made where there is none. */
export async function withLedger<T>(project: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  await prepareFolder(project);
  const ledger = openLedger(ledgerFile(project));
  try {
    return await work(ledger);
  } finally {
    ledger.close();
  }
}
