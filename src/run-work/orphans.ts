/**
 * Orphans: processes that a dead orchestrator left running. Looks for them only where a run has unfinished delegations and no live
 * process: reading the list of processes takes longer than everything else that a look does.
 */
import { defined } from '../base/defined.ts';
import { DivisiError } from '../base/error.ts';
import type { RunState } from '../core/state/state.ts';
import type { Ledger, LedgerReader } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import { findMarked } from '../process/reap.ts';
import { readableRun } from '../project/readable-run.ts';
import { type Holding, livingHolder, withLease } from '../project/with-lease.ts';
import { isLiveVerifier, reapRun } from './verifier-process.ts';

export interface Orphan {
  readonly pid: number;
  /** Absent for a command that belongs to no task, such as a check of merged work. */
  readonly task?: string;
}

/** `state`: of the same run, where the caller has it. */
export function findOrphans(ledger: LedgerReader, row: RunRow, state?: RunState): Orphan[] {
  const { run, status, kind } = row;
  if (status !== 'running' || kind === 'conducted' || livingHolder(ledger, run) !== null) return [];
  const seen = state ?? readableRun(ledger, run);
  if (seen === undefined || seen.active.size + seen.index.settling.size === 0) return [];
  const found = findMarked(run);
  if (!found.supported) return [];
  const tasks = taskByDelegation(seen);
  return found.processes
    .filter(({ delegation }) => !isLiveVerifier(delegation))
    .map(({ pid, delegation }) => ({ pid, ...defined({ task: tasks.get(delegation) }) }));
}

function taskByDelegation({ tasks, gateTasks }: RunState): Map<string, string> {
  const attempts = [...tasks.values(), ...gateTasks.values()].flatMap(({ planned, attempt }) =>
    attempt === null ? [] : [[attempt.delegation, planned.id] as const],
  );
  return new Map<string, string>(attempts);
}

/** Ends the orphans of a run while holding it, and returns those that are gone; none where another process has taken the run. */
export async function endOrphans(ledger: Ledger, row: RunRow, holding: Holding): Promise<Orphan[]> {
  const { run } = row;
  const orphans = findOrphans(ledger, row);
  if (orphans.length === 0) return [];
  try {
    return await withLease(ledger, run, holding, async () => {
      const reaped = await reapRun(run);
      return reaped.supported ? orphans.filter(({ pid }) => !reaped.left.includes(pid)) : [];
    });
  } catch (error) {
    if (error instanceof DivisiError && error.code === 'LEASE_HELD') return [];
    throw error;
  }
}

/** In the terminal; the JSON has all of them. */
const mostShown = 10;

/** Said below the run that they belong to. */
export function orphanText(orphans: readonly Orphan[]): string {
  return `still running, left by its dead process: ${orphanWords(orphans)}; \`divisi clean\` ends ${orphans.length === 1 ? 'it' : 'them'}`;
}

/** `process 12 (1.1), process 13`. */
export function orphanWords(orphans: readonly Orphan[]): string {
  const shown = orphans
    .slice(0, mostShown)
    .map(({ pid, task }) => `process ${pid}${task === undefined ? '' : ` (${task})`}`);
  const rest = orphans.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
