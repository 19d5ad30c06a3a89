/** A run that the conversation itself conducts, with its own subagents. What follows from here, hooks see to. */
import { relative, resolve, sep } from 'node:path';
import { realpath } from 'node:fs/promises';
import { tuttiError } from '../contracts/error.ts';
import type { RunId } from '../contracts/ids.ts';
import { isOver } from '../core/state.ts';
import { withLedger } from '../runtime.ts';
import { conductAgain, conductedText, type ConductOptions, conductPlan } from '../scheduler/conduct-run.ts';
import { findRun } from '../scheduler/find-run.ts';
import { isSamePlan } from '../scheduler/plan-file.ts';
import type { Told } from './caller.ts';
import { followView } from './follow-view.ts';
import type { Place } from './place.ts';
import type { Inputs } from './tools.ts';

const how =
  'Delegate all of them in one message, each with the Agent tool: that subagent_type, and the prompt `tutti TASK`. Code writes the rest of the prompt, verifies what comes back, and says what is next.';

/** Gives the text of the answer. */
export async function runHere(place: Place, input: Inputs['run'], { session }: Told): Promise<string> {
  const { project } = place;
  if (session === undefined) {
    throw tuttiError('USAGE', {
      message: 'nobody says which conversation this is: the hooks of the plugin are not at work',
      next: 'Install the plugin (docs/claude-code.md) and run `tutti doctor`; or leave out `here`: the run gets its own agents.',
    });
  }
  return withLedger(project, async (ledger) => {
    const options = { ...place, ledger };
    const run = await begun(input, session, options);
    followView(place, run);
    return `${await conductedText(run, options)}\n${how}`;
  });
}

async function begun({ plan, resume, mode }: Inputs['run'], session: string, options: ConductOptions): Promise<RunId> {
  const { project, ledger } = options;
  const again = async (run: RunId): Promise<RunId> => {
    await conductAgain(run, { ...options, session });
    return run;
  };
  if (plan === undefined) return again(findRun(ledger, resume).run);
  const file = resolve(project, plan);
  const inside = relative(await realpath(project), await realpath(file).catch(() => file));
  const name = inside.split(sep).join('/');
  const row = ledger.runs().find(({ status, planFile }) => !isOver(status) && isSamePlan(planFile, name));
  if (row !== undefined) return again(row.run);
  return conductPlan(file, {
    ...options,
    session,
    isConfirmed: false,
    ...(mode === undefined || mode === 'plan' ? {} : { mode }),
  });
}
