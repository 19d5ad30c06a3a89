/** The tool `delegate`: writes a plan for one task, keeps it like a piped plan, and runs it. */
import { defined } from '../../base/defined.ts';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isOver } from '../../core/state/state.ts';
import { oneTaskPlan } from '../../plan/one-task-plan.ts';
import { stemOf } from '../../plan/plan-name.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { planRun } from '../../runtime/plans/plan-run.ts';
import { storePlan, type NamedPlan, namePlan } from '../../runtime/plans/store-plan.ts';
import { hashText } from '../../workspace/hash-text.ts';
import { prepareFolder } from '../../project/prepare-folder.ts';
import { planBrief } from '../../views/brief/plan-brief.ts';
import { shownPlan } from '../../views/run/show-plan.ts';
import { type Caller, modeFor, type ToolAnswer } from '../caller.ts';
import type { ServerDeps } from '../server-deps.ts';
import { afterQuestion, runAndWait } from './run.ts';
import type { Inputs } from './tools.ts';

/** The same input joins its unfinished run, so a client that was killed can call again. */
export async function delegateTool(deps: ServerDeps, input: Inputs['delegate'], caller: Caller): Promise<ToolAnswer> {
  const going = await afterQuestion(deps, caller);
  if (going !== undefined) return going;
  const text = planOf(input);
  const mode = modeFor(undefined, caller);
  const { project } = deps;
  const ledger = readLedger(project);
  try {
    const plan = ownName(namePlan(text, 'the task'));
    const stem = stemOf(plan.file);
    const row = ledger.runs().find(({ status, planFile }) => !isOver(status) && isNamed(stemOf(planFile), stem));
    if (row !== undefined && mode !== 'plan') return await runAndWait(deps, { row }, caller);
    // Validated before the plan is kept.
    const state = await planRun(join(await realpath(project), plan.file), { project, text });
    if (mode === 'plan') return { text: planBrief(shownPlan(state)) };
    await prepareFolder(project);
    const file = await storePlan(project, ledger, plan);
    const words = ['run', '--json', file, '--new', ...(mode === undefined ? [] : ['--mode', mode])];
    return await runAndWait(deps, { words }, caller);
  } finally {
    ledger.close();
  }
}

function planOf({ task, agent, tier, scope }: Inputs['delegate']): string {
  return oneTaskPlan({
    task,
    ...defined({ agent, tier, scope }),
  });
}

/** Adds a hash to the name, which comes from the first words: two tasks may start alike. */
function ownName(plan: NamedPlan): NamedPlan {
  const mark = `t${hashText(plan.text).slice(0, 7)}`;
  return { ...plan, file: plan.file.replace(/-inprogress\.md$/, `-${mark}-inprogress.md`) };
}

/** A repeated task gets a numbered name. */
const isNamed = (name: string, stem: string): boolean => name === stem || name.startsWith(`${stem}-`);
