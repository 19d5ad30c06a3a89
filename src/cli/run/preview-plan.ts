/** `--mode plan`: what would be done, and nothing is. `text` is what the file would hold, where it is not there. */
import { type PlanOptions, planRun } from '../../runtime/plans/plan-run.ts';
import { shownPlan, showPlanText } from '../../views/run/show-plan.ts';
import { type Answer, exitCodes } from '../output.ts';

export async function previewPlan(
  project: string,
  file: string,
  settings: Omit<PlanOptions, 'project'> & { readonly text?: string },
): Promise<Answer> {
  const { run: _none, status: _yet, ...plan } = shownPlan(await planRun(file, { project, ...settings }));
  return { code: exitCodes.valid, json: plan, text: `${showPlanText(plan)}\n\nnothing was started` };
}
