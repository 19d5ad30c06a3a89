/** The brief of a run as this server gives it, whatever kind of run it is. */
import { join } from 'node:path';
import { questionsIn } from '../core/architect-questions.ts';
import type { RunState } from '../core/state.ts';
import { keptPlan, writtenPlan } from '../scheduler/kept-plan.ts';
import { planRun } from '../scheduler/plan-run.ts';
import { numberedTaskBrief } from '../views/numbered-task-brief.ts';
import { planBrief } from '../views/plan-brief.ts';
import { questionsBrief } from '../views/questions-brief.ts';
import { runBrief, type RunBriefOptions } from '../views/run-brief.ts';
import { runReport } from '../views/run-report.ts';
import { shownPlan } from '../views/show-plan.ts';
import type { Place } from './place.ts';

export async function briefOf(place: Place, state: RunState, options: RunBriefOptions = {}): Promise<string> {
  const { workflow } = state.created;
  if (workflow?.kind === 'command') return numberedTaskBrief(state, options);
  const made = workflow?.kind === 'architect' ? await architectBrief(place, state) : undefined;
  return made ?? runBrief(runReport(state), options);
}

/** The plan that it has made, or what it has to know first; undefined where there is neither. */
async function architectBrief({ project, warn }: Place, state: RunState): Promise<string | undefined> {
  try {
    if (state.status === 'completed') {
      return planBrief(shownPlan(await planRun(join(project, await keptPlan(project, state)), { project })));
    }
    const questions = state.status === 'failed' ? questionsIn((await writtenPlan(project, state)) ?? '') : [];
    const isUnclear = Array.from(state.tasks.values(), ({ progress }) => progress).some(
      (progress) => 'outcome' in progress && progress.outcome?.failure?.class === 'unclear',
    );
    return isUnclear && questions.length > 0 ? questionsBrief(state.created.run, questions) : undefined;
  } catch (error) {
    warn(error);
    return undefined;
  }
}
