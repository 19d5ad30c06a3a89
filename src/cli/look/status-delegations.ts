/** `divisi status --delegations`: what is at work in this project, from the ledger alone. */
import { createdRun } from '../../ledger/created-run.ts';
import { isOver } from '../../core/state/state.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/run-rows.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { findRun, isInterrupted } from '../../project/find-run.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { type RegistryRun, registryRun } from '../../views/run/delegation-registry.ts';
import { registryText } from '../../views/run/registry-text.ts';
import { type Answer, exitCodes } from '../output.ts';

/** Of the history; older ones are found by `divisi list`. */
const mostEnded = 50;

export interface DelegationsOptions {
  readonly run?: string;
  /** Commands that have ended as well. */
  readonly all?: boolean;
}

export function delegations(project: string, { run, all = false }: DelegationsOptions): Answer {
  const ledger = readLedger(project);
  const now = Date.now();
  try {
    const look = (row: RunRow): RegistryRun =>
      registryRun(foldRun(ledger, row.run), { now, isInterrupted: isInterrupted(ledger, row) });
    const rows = run === undefined ? ledger.runs() : [findRun(ledger, run)];
    const runs = rows.filter((row) => run !== undefined || isAtWork(ledger, row)).map(look);
    const ended = all && run === undefined ? endedCommands(ledger, rows).map(look) : [];
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

/** A plan that is paused has nothing at work; a command that is paused has a backlog task that waits for it. */
function isAtWork(ledger: LedgerReader, row: RunRow): boolean {
  if (isOver(row.status)) return false;
  return row.status !== 'paused' || isCommand(ledger, row);
}

function isCommand(ledger: LedgerReader, { run, planFile }: RunRow): boolean {
  return planFile === '' && createdRun(ledger, run)?.workflow?.kind === 'command';
}

/** The newest first. */
function endedCommands(ledger: LedgerReader, rows: readonly RunRow[]): RunRow[] {
  const found: RunRow[] = [];
  for (const row of rows) {
    if (found.length === mostEnded) break;
    if (isOver(row.status) && isCommand(ledger, row)) found.push(row);
  }
  return found;
}
