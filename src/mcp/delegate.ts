/** The tool `delegate`: one task without a plan. It gets a plan all the same, kept like one that was piped in. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isOver } from '../core/state.ts';
import { oneTaskPlan } from '../plan/one-task-plan.ts';
import { planRun, readLedger } from '../runtime.ts';
import { keepPlan, namePlan } from '../scheduler/keep-plan.ts';
import { isSamePlan } from '../scheduler/plan-file.ts';
import { prepareFolder } from '../scheduler/project-folder.ts';
import type { Caller, ToolAnswer } from './caller.ts';
import type { Place } from './place.ts';
import { afterQuestion, runAndWait } from './run.ts';
import type { Inputs } from './tools.ts';

/** The same words while their run is unfinished mean that run: a client that was killed calls again. */
export async function delegate(place: Place, input: Inputs['delegate'], caller: Caller): Promise<ToolAnswer> {
  const going = await afterQuestion(place, caller);
  if (going !== undefined) return going;
  const { task, agent, tier, scope } = input;
  const text = oneTaskPlan({
    task,
    ...(agent === undefined ? {} : { agent }),
    ...(tier === undefined ? {} : { tier }),
    ...(scope === undefined ? {} : { scope }),
  });
  const { project } = place;
  await prepareFolder(project);
  const ledger = readLedger(project);
  try {
    const plan = namePlan(text, 'the task');
    const row = ledger.runs().find((one) => isSamePlan(one.planFile, plan.file) && !isOver(one.status));
    if (row !== undefined) return await runAndWait(place, { row }, caller);
    // What cannot be run leaves no plan behind.
    await planRun(join(await realpath(project), plan.file), { project, text });
    return await runAndWait(place, { words: ['run', await keepPlan(project, ledger, plan), '--new'] }, caller);
  } finally {
    ledger.close();
  }
}
