/** Stores a plan given as text in `.divisi/plans`, under a name derived from its title. */
import { existsSync } from 'node:fs';
import { folderInside } from '../../workspace/project-path.ts';
import { join } from 'node:path';
import { messageOf, divisiError } from '../../base/error.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import { loadPlan } from '../../plan/parse-plan.ts';
import { planFileName, planStates, withState } from '../../plan/plan-name.ts';
import { writeAtomically } from '../../workspace/atomic-file.ts';
import { checkNoneUnfinished } from '../../scheduler/begin/read-run-plan.ts';

export interface NamedPlan {
  readonly text: string;
  readonly title: string;
  readonly goal: string;
  /** The file to store it in, relative to the project. */
  readonly file: string;
}

/** `source` names the text in faults. */
export function namePlan(text: string, source: string): NamedPlan {
  const { plan } = loadPlan(text, source);
  const titles = plan.waves.flatMap(({ tasks }) => tasks.map(({ title }) => title));
  if (text.includes('\uFFFD')) {
    throw divisiError('PLAN_UNREADABLE', {
      message: `${source} is not UTF-8 text`,
      next: 'Pass the plan as UTF-8; nothing was stored or started.',
    });
  }
  const { title, goal } = plan;
  return { text, title, goal, file: `.divisi/plans/${planFileName(plan, 'inprogress', titles)}` };
}

/** Returns the absolute path. Without a ledger, an unfinished run of the same plan is not refused. */
export async function storePlan(
  project: string,
  ledger: LedgerReader | undefined,
  { text, file }: NamedPlan,
): Promise<string> {
  const free = freeFile(project, ledger, file);
  try {
    await folderInside(project, '.divisi/plans');
    await writeAtomically(join(project, free), text);
    return join(project, free);
  } catch (cause) {
    throw divisiError('PLAN_UNWRITABLE', {
      message: `the plan could not be stored in .divisi/plans: ${messageOf(cause)}`,
      next: 'Check that the folder is writable and the disk has room, or save the plan and run its file. Nothing was started.',
      retryable: true,
      ids: { file: free },
      cause,
    });
  }
}

/** Never overwrites the plan of an earlier run with the same name; refuses one that is unfinished. */
function freeFile(project: string, ledger: LedgerReader | undefined, file: string): string {
  const taken = (candidate: string): boolean =>
    planStates.some((state) => existsSync(join(project, withState(candidate, state) ?? candidate)));
  for (let number = 2, candidate = file; ; number += 1) {
    if (ledger !== undefined) checkNoneUnfinished(ledger, candidate);
    if (!taken(candidate)) return candidate;
    candidate = file.replace(/-inprogress\.md$/, `-${number}-inprogress.md`);
  }
}
