/** `divisi status --delegations`: lists running delegations from the ledger. */
import { isOver } from '../../core/state/state.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/run-rows.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { findRun } from '../../project/find-run.ts';
import { readableRun } from '../../project/readable-run.ts';
import { shownStatusOf } from '../../project/shown-status-of.ts';
import { showLedger } from '../../project/project-ledger.ts';
import { type RegistryRun, registryRun } from '../../views/registry/delegation-registry.ts';
import { registryText } from '../../views/registry/registry-text.ts';
import { type Answer, exitCodes } from '../output.ts';

/** `divisi list` has older ones. */
const mostEnded = 50;

export interface DelegationsOptions {
  readonly run?: string;
  /** Includes ended commands. */
  readonly all?: boolean;
}

export function delegations(project: string, { run, all = false }: DelegationsOptions): Answer {
  const ledger = showLedger(project);
  const now = Date.now();
  try {
    const look = (row: RunRow): RegistryRun[] => {
      // A run that was asked for is not left out: reading it says why it cannot be read.
      const state = run === undefined ? readableRun(ledger, row.run) : foldRun(ledger, row.run);
      return state === undefined ? [] : [registryRun(state, { now, status: shownStatusOf(ledger, row, state) })];
    };
    const rows = run === undefined ? ledger.runs() : [findRun(ledger, run)];
    const runs = rows.filter((row) => run !== undefined || isAtWork(row)).flatMap(look);
    const ended = all && run === undefined ? endedCommands(ledger).flatMap(look) : [];
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
