/**
 * Stores the plan of an architect's run in `.divisi/plans`, once. A note in the run's state records the file and the hash of the
 * report it came from; from then on the plan belongs to the person, to edit and to run.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { divisiError } from '../../base/error.ts';
import { sanitizePlan } from '../../core/workflow/architect-plan.ts';
import type { RunState } from '../../core/state/state.ts';
import { runState } from '../../delegation/delegation-files.ts';
import { writePrivately } from '../../workspace/atomic-file.ts';
import { stateFolder } from '../../workspace/places.ts';
import { makeStateFolder } from '../../workspace/state-folder.ts';
import { folderInside, readInside } from '../../workspace/project-path.ts';
import { architectTask } from './architect-task.ts';
import { storePlan, namePlan } from './store-plan.ts';
import { findPlanFile, isSamePlan } from '../../project/plan-file.ts';
import { hashText } from '../../workspace/hash-text.ts';

const noteSchema = z.strictObject({
  /** A file name in `.divisi/plans`; a note with anything else was not written by Divisi. */
  file: z.string().check(z.regex(/^\.divisi\/plans\/[^/\\]+\.md$/)),
  /** Hash of the report. */
  of: z.string(),
});

/** In the state folder: it decides whether a plan is trusted, and nothing in a checkout may. */
const noteFile = (run: string): string => `${runState(run)}/plan.json`;

/** The last text the architect wrote; undefined where there is none. */
export async function readArchitectPlan(project: string, state: RunState): Promise<string | undefined> {
  const progress = state.tasks.get(architectTask)?.progress;
  const report = progress !== undefined && 'outcome' in progress ? progress.outcome?.report : undefined;
  return report === undefined ? undefined : readInside(project, report);
}

/** The stored plan of a completed run, relative to the project. */
export async function storeArchitectPlan(project: string, state: RunState): Promise<string> {
  const { run } = state.created;
  const text = await readArchitectPlan(project, state);
  if (text === undefined) {
    throw divisiError('PLAN_UNREADABLE', {
      message: `the plan that ${run} wrote is missing`,
      next: `\`divisi resume ${run} from wave 1\` writes it again.`,
      ids: { run },
    });
  }
  const note = await noteOf(project, run);
  const hash = hashText(text);
  if (note?.of === hash) {
    const file = await findPlanFile(project, note.file);
    if ((await readInside(project, file)) !== undefined) return file;
  }
  const file = await keep(project, sanitizePlan(text), `the plan of ${run}`);
  const folder = await folderInside(makeStateFolder(project), runState(run), 0o700);
  await writePrivately(join(folder, 'plan.json'), `${JSON.stringify({ file, of: hash })}\n`);
  return file;
}

/** An architect wrote this plan, not the person who runs it. */
export async function isArchitectPlan(project: string, file: string): Promise<boolean> {
  const runs = await readdir(join(stateFolder(project), 'runs')).catch(() => []);
  for (const run of runs) {
    const note = await noteOf(project, run);
    if (note !== undefined && isSamePlan(note.file, file)) return true;
  }
  return false;
}

async function noteOf(project: string, run: string): Promise<z.infer<typeof noteSchema> | undefined> {
  const text = await readInside(stateFolder(project), noteFile(run));
  try {
    return noteSchema.safeParse(JSON.parse(text ?? '')).data;
  } catch {
    return undefined;
  }
}

/** Reuses a file with the same text: a crash may have come between it and the note. */
async function keep(project: string, text: string, source: string): Promise<string> {
  const named = namePlan(text, source);
  if ((await readInside(project, named.file)) === text) return named.file;
  return (await storePlan(project, undefined, named)).slice(project.length + 1);
}
