/** The tool `status`: the briefs of the runs that are not over, or of one. */
import { isOver } from '../core/state.ts';
import { readLedger } from '../runtime.ts';
import { findRun, isInterrupted } from '../scheduler/find-run.ts';
import { foldRun } from '../ledger/fold-run.ts';
import { runBrief } from '../views/run-brief.ts';
import { runReport } from '../views/run-report.ts';
import type { ToolAnswer } from './caller.ts';
import type { Place } from './place.ts';
import type { Inputs } from './tools.ts';

/** Of several, the newest; more of them are counted. */
const mostRuns = 3;
const eachBudget = 400;

/** Where no run is active, of the newest. */
export async function status({ project }: Place, { run }: Inputs['status']): Promise<ToolAnswer> {
  const ledger = readLedger(project);
  try {
    const active = run === undefined ? ledger.runs().filter((row) => !isOver(row.status)) : [];
    const rows = active.length === 0 ? [findRun(ledger, run)] : active;
    const budget = rows.length === 1 ? {} : { budget: eachBudget };
    const briefs = rows
      .slice(0, mostRuns)
      .map((row) =>
        runBrief(runReport(foldRun(ledger, row.run)), { ...budget, isInterrupted: isInterrupted(ledger, row) }),
      );
    const left = rows.length - briefs.length;
    return { text: [...briefs, ...(left > 0 ? [`and ${left} more: run {} lists them.`] : [])].join('\n') };
  } finally {
    ledger.close();
  }
}
