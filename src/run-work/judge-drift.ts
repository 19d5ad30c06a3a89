/** Judges finished work whose files are not as it left them on the run's branch: gone, no longer passing verification, or fine. */
import { findTask, type RunState } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { EventOf } from '../core/event/event.ts';
import { findingText } from '../views/run/proof-text.ts';
import { type BranchFiles, type DriftedFiles, findDrift } from './find-drift.ts';
import type { Reverification } from './verify-again.ts';

/** Undefined when it was stopped. */
export type VerifyAgain = (
  tasks: readonly TaskState[],
  head: string,
) => Promise<ReadonlyMap<string, Pick<Reverification, 'findings'>> | undefined>;

export interface DriftJudgement {
  readonly files: DriftedFiles;
  /** The tasks that were verified again. */
  readonly verified: string[];
  /** Work that no longer holds, and why. */
  readonly stale: EventOf<'workspace.updated'>['stale'];
}

/** Undefined when it was stopped. `isJudged`: false where no work is ever done again. */
export async function judgeDrift(
  state: RunState,
  head: string,
  { branch, verifyAgain, isJudged }: { branch: BranchFiles; verifyAgain: VerifyAgain; isJudged: boolean },
): Promise<DriftJudgement | undefined> {
  const files = await findDrift(state, head, branch);
  if (!isJudged) return { files, verified: [], stale: [] };
  const idsOf = (how: DriftedFiles[number]['found']): Set<string> =>
    new Set(files.filter(({ found }) => found === how).map(({ task }) => task));
  const [missing, changed] = [idsOf('missing'), idsOf('changed')];
  const doubtful = [...changed].filter((id) => !missing.has(id)).flatMap((id) => findTask(state, id) ?? []);
  const again = await verifyAgain(doubtful, head);
  if (again === undefined) return undefined;
  const stale = Array.from(missing, (task) => ({ task, why: 'its files are gone' }));
  for (const [task, { findings }] of again) {
    const wrong = findings.find(({ rejects }) => rejects);
    if (wrong !== undefined) stale.push({ task, why: `it no longer passes verification: ${findingText(wrong)}` });
  }
  return { files, verified: [...again.keys()], stale };
}
