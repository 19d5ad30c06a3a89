/** The tool `status`: returns the result briefs of the active runs, or of one run. */
import { isOver } from '../../core/state/state.ts';
import type { RunId } from '../../base/ids.ts';
import { readLedger, withLedger } from '../../project/project-ledger.ts';
import { conductedText, lookAtCheckout } from '../../runtime/conducted/conduct-run.ts';
import { followView } from '../follow-view.ts';
import { findRun } from '../../project/find-run.ts';
import { shownStatusOf } from '../../project/shown-status-of.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { briefOf } from '../brief-of.ts';
import type { ToolAnswer } from '../caller.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Inputs } from './tools.ts';

/** First verifies returns that a hook had no time for. */
export async function conductedBrief(deps: ServerDeps, run: RunId): Promise<string> {
  followView(deps, run);
  return withLedger(deps.project, (ledger) => conductedText(run, { ...deps, ledger }));
}

/** Shows the newest; counts the rest. */
const mostRuns = 3;
const eachBudget = 400;

/** Falls back to the newest run where none is active. */
export async function statusTool(deps: ServerDeps, { run }: Inputs['status']): Promise<ToolAnswer> {
  const { project } = deps;
  const ledger = readLedger(project);
  try {
    const active = run === undefined ? ledger.runs().filter((row) => !isOver(row.status)) : [];
    const rows = active.length === 0 ? [findRun(ledger, run)] : active;
    const budget = rows.length === 1 ? {} : { budget: eachBudget };
    const briefs: string[] = [];
    for (const row of rows.slice(0, mostRuns)) {
      const shown = shownStatusOf(ledger, row);
      const isHere = row.kind === 'conducted' && shown === 'running';
      if (row.kind === 'conducted' && !isHere) await lookAtCheckout(row.run, deps);
      briefs.push(
        isHere ? await conductedBrief(deps, row.run) : briefOf(foldRun(ledger, row.run), { ...budget, shown }),
      );
    }
    const left = rows.length - briefs.length;
    return { text: [...briefs, ...(left > 0 ? [`and ${left} more: run {} lists them.`] : [])].join('\n') };
  } finally {
    ledger.close();
  }
}
