/** The part of `divisi clean` that ends orphans: processes that a dead process of a run has left running. */
import { openLedger } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/run-rows.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { endOrphans, findOrphans, type Orphan, orphanWords } from '../../run-work/orphans.ts';
import { ledgerFile } from '../../workspace/places.ts';
import { warn } from '../output.ts';

export interface EndedOrphans {
  readonly run: string;
  readonly processes: readonly Orphan[];
}

/** In a dry run: those that would be ended. */
export async function cleanOrphans(project: string, dryRun: boolean): Promise<EndedOrphans[]> {
  const found = findAll(project);
  if (dryRun || found.length === 0) return found.map(({ row: { run }, processes }) => ({ run, processes }));
  const ledger = openLedger(ledgerFile(project));
  try {
    const ended: EndedOrphans[] = [];
    for (const { row } of found) {
      const processes = await endOrphans(ledger, row, { command: 'divisi clean', warn });
      if (processes.length > 0) ended.push({ run: row.run, processes });
    }
    return ended;
  } finally {
    ledger.close();
  }
}

function findAll(project: string): { readonly row: RunRow; readonly processes: readonly Orphan[] }[] {
  const ledger = readLedger(project);
  try {
    const all = ledger.runs().map((row) => ({ row, processes: findOrphans(ledger, row) }));
    return all.filter(({ processes }) => processes.length > 0);
  } finally {
    ledger.close();
  }
}

export function endedText({ run, processes }: EndedOrphans, dryRun: boolean): string {
  return `${dryRun ? 'would end' : 'ended'} what a dead process of ${run} left running: ${orphanWords(processes)}`;
}
