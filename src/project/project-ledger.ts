/** Opens the ledger of a project, read-only or to write. */
import { existsSync } from 'node:fs';
import { inMemory } from '../ledger/connection.ts';
import { type Ledger, type LedgerReader, openLedger } from '../ledger/ledger.ts';
import { ledgerFile } from '../workspace/places.ts';
import { prepareFolder } from './prepare-folder.ts';

/** Read-only: creates and locks nothing; a missing ledger has no runs. */
export function readLedger(project: string): LedgerReader {
  return openLedger(ledgerFile(project), { readOnly: true });
}

/** For what only shows a run, and does nothing that its events say: they are not checked, which takes longer than reading them. */
export function showLedger(project: string): LedgerReader {
  return openLedger(ledgerFile(project), { readOnly: true, unchecked: true });
}

/** Opens the ledger to write, creating it if missing. */
export async function withLedger<T>(project: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  await prepareFolder(project);
  const ledger = openLedger(ledgerFile(project));
  try {
    return await work(ledger);
  } finally {
    ledger.close();
  }
}

/** For a dry run: the work sees its own changes, nothing of them is kept, and no file is created. */
export async function rehearseLedger<T>(project: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const file = ledgerFile(project);
  const ledger = openLedger(existsSync(file) ? file : inMemory);
  try {
    return await ledger.rehearse(() => work(ledger));
  } finally {
    ledger.close();
  }
}
