/** `divisi status --delegations`: lists running delegations from the ledger. */
import { isOver } from '../../core/state/state.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/run-rows.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { findRun, isInterrupted } from '../../project/find-run.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { type RegistryRun, registryRun } from '../../views/run/delegation-registry.ts';
import { registryText } from '../../views/run/registry-text.ts';
import { type Answer, exitCodes } from '../output.ts';

/** `divisi list` has older ones. */
const mostEnded = 50;

export interface DelegationsOptions {
  readonly run?: string;
  /** Includes ended commands. */
  readonly all?: boolean;
}

export function delegations(project: string, { run, all = false }: DelegationsOptions): Answer {
  const ledger = readLedger(project);
  const now = Date.now();
  try {
    const look = (row: RunRow): RegistryRun =>
      registryRun(foldRun(ledger, row.run), { now, isInterrupted: isInterrupted(ledger, row) });
    const rows = run === undefined ? ledger.runs() : [findRun(ledger, run)];
    const runs = rows.filter((row) => run !== undefined || isAtWork(row)).map(look);
    const ended = all && run === undefined ? endedCommands(ledger).map(look) : [];
    const text = registryText(runs, now);
    const history = !all || ended.length === 0 ? [] : ['ended:', registryText(ended, now)];
    return {
      code: exitCodes.completed,
      json: { at: now, runs, ...(all ? { ended } : {}) },
      text: [text, ...history].join('\n'),
    };
  } finally {
    ledger.close();
  }
}

/** A paused plan runs nothing; a paused command still holds its backlog task. */
function isAtWork(row: RunRow): boolean {
  if (isOver(row.status)) return false;
  return row.status !== 'paused' || row.kind === 'command';
}

/** The newest first. */
function endedCommands(ledger: LedgerReader): readonly RunRow[] {
  return ledger
    .runs({ kind: 'command' })
    .filter(({ status }) => isOver(status))
    .slice(0, mostEnded);
}
