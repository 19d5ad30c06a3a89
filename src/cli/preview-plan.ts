/** `--mode plan`: what would be done, and nothing is. */
import { type NewRunOptions, planRun } from '../runtime.ts';
import { shownPlan, showPlanText } from '../views/show-plan.ts';
import { type Answer, exitCodes } from './output.ts';

export async function previewPlan(
  project: string,
  file: string,
  settings: Pick<NewRunOptions, 'concurrency' | 'driver' | 'mode'>,
): Promise<Answer> {
  const { run: _none, status: _yet, ...plan } = shownPlan(await planRun(file, { project, ...settings }));
  return { code: exitCodes.valid, json: plan, text: `${showPlanText(plan)}\n\nnothing was started` };
}
