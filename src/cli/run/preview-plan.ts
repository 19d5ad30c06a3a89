/** `--mode plan`: prints the plan that a run would follow, and starts nothing. */
import { type PlanOptions, planRun } from '../../runtime/plans/plan-run.ts';
import { shownPlan, showPlanText } from '../../views/run/show-plan.ts';
import { type Answer, exitCodes } from '../output.ts';

/** `text` is the content of a plan that is not on disk. */
export async function previewPlan(
  project: string,
  file: string,
  settings: Omit<PlanOptions, 'project'> & { readonly text?: string },
): Promise<Answer> {
  const { run: _none, status: _yet, ...plan } = shownPlan(await planRun(file, { project, ...settings }));
  return { code: exitCodes.valid, json: plan, text: `${showPlanText(plan)}\n\nnothing was started` };
}
