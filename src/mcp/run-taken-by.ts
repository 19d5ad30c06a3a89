/** Finds the run that a process has started or resumed, by its lease: a task command prints nothing before its end. */
import { hostname } from 'node:os';
import type { RunId } from '../base/ids.ts';
import { isOver } from '../core/state/state.ts';
import { readLedger } from '../project/project-ledger.ts';

/** A run that it only ends first, before it begins its own, is held for a moment too: it is not started. */
export function runTakenBy(project: string, pid: number | undefined, since: number): RunId | undefined {
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
