/** `divisi show`: prints the plan of a run. */
import { readLedger } from '../../project/project-ledger.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { shownPlan, showPlanText } from '../../views/run/show-plan.ts';
import { findRun } from '../../project/find-run.ts';
import { type Answer, exitCodes } from '../output.ts';

export function show(project: string, name: string | undefined): Answer {
  const ledger = readLedger(project);
  try {
    const plan = shownPlan(foldRun(ledger, findRun(ledger, name).run));
    return { code: exitCodes.completed, json: plan, text: showPlanText(plan) };
  } finally {
    ledger.close();
  }
}
