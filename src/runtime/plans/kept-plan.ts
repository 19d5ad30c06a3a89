/**
 * The plan that an architect's run has made, kept among the others in `.divisi/plans`: once, however often it is asked for. Where it
 * was kept stands in the folder of the run, with what it was made of; from then on the plan is the person's to edit and to run.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { divisiError } from '../../base/error.ts';
import { planAsKept } from '../../core/workflow/architect-plan.ts';
import type { RunState } from '../../core/state/state.ts';
import { runFolder } from '../../delegation/delegation-files.ts';
import { writeAtomically } from '../../workspace/atomic-file.ts';
import { folderInside, readInside } from '../../workspace/project-path.ts';
import { architectTask } from './architect-task.ts';
import { keepPlan, namePlan } from './keep-plan.ts';
import { findPlanFile, hashOf, isSamePlan } from '../../project/plan-file.ts';

const noteSchema = z.strictObject({
  /** Nothing but a name in that folder: what else stands there is no note of ours. */
  file: z.string().check(z.regex(/^\.divisi\/plans\/[^/\\]+\.md$/)),
  /** Of the report that it is. */
  of: z.string(),
});

const noteFile = (run: string): string => `${runFolder(run)}/plan.json`;

/** The text that the architect wrote last, whatever it is; undefined where there is none. */
export async function writtenPlan(project: string, state: RunState): Promise<string | undefined> {
  const progress = state.tasks.get(architectTask)?.progress;
  const report = progress !== undefined && 'outcome' in progress ? progress.outcome?.report : undefined;
  return report === undefined ? undefined : readInside(project, report);
}

/** Of a run that has completed. Gives the file where it is now, relative to the project. */
export async function keptPlan(project: string, state: RunState): Promise<string> {
  const { run } = state.created;
  const text = await writtenPlan(project, state);
  if (text === undefined) {
    throw divisiError('PLAN_UNREADABLE', {
      message: `the plan that ${run} has made is not there any more`,
      next: `\`divisi resume ${run} from wave 1\` has it made again.`,
      ids: { run },
    });
  }
  const note = await noteOf(project, run);
  const hash = hashOf(text);
  if (note?.of === hash) {
    const file = await findPlanFile(project, note.file);
    if ((await readInside(project, file)) !== undefined) return file;
  }
  const file = await keep(project, planAsKept(text), `the plan of ${run}`);
  await folderInside(project, runFolder(run));
  await writeAtomically(join(project, noteFile(run)), `${JSON.stringify({ file, of: hash })}\n`);
  return file;
}

/** Whether an architect has made it, and not the person who runs it now. */
export async function isArchitects(project: string, file: string): Promise<boolean> {
  const runs = await readdir(join(project, '.divisi', 'runs')).catch(() => []);
  for (const run of runs) {
    const note = await noteOf(project, run);
    if (note !== undefined && isSamePlan(note.file, file)) return true;
  }
  return false;
}

async function noteOf(project: string, run: string): Promise<z.infer<typeof noteSchema> | undefined> {
  const text = await readInside(project, noteFile(run));
  try {
    return noteSchema.safeParse(JSON.parse(text ?? '')).data;
  } catch {
    return undefined;
  }
}

/** One that is there with the same text is the one that was written before the note could be. */
async function keep(project: string, text: string, source: string): Promise<string> {
  const named = namePlan(text, source);
  if ((await readInside(project, named.file)) === text) return named.file;
  return (await keepPlan(project, undefined, named)).slice(project.length + 1);
}
