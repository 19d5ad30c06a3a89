/** Finds the run that a process started or resumed, by its lease: a task command prints nothing until it ends. */
import { hostname } from 'node:os';
import type { RunId } from '../base/ids.ts';
import { isOver } from '../core/state/state.ts';
import { readLedger } from '../project/project-ledger.ts';

/** Skips a run that the process only holds briefly to end it before starting its own. */
export function findRunHeldBy(project: string, pid: number | undefined, since: number): RunId | undefined {
  if (pid === undefined) return undefined;
  const ledger = readLedger(project);
  try {
    const isStarted = (run: RunId): boolean => {
      for (const event of ledger.read(run)) if (event.kind === 'run.started' && event.at >= since) return true;
      return false;
    };
    const row = ledger.runs().find(({ run, status }) => {
      const holder = isOver(status) ? undefined : ledger.holder(run)?.holder;
      return holder?.pid === pid && holder.host === hostname() && isStarted(run);
    });
    return row?.run;
  } finally {
    ledger.close();
  }
}
