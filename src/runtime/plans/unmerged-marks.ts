/** Finds the ticks of a plan whose work is not where a new run of it would start. */
import { join, resolve } from 'node:path';
import type { LedgerReader } from '../../ledger/ledger.ts';
import { loadPlan } from '../../plan/parse-plan.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { findUnmergedMarks, type UnmergedRun } from '../../run-work/unmerged-marks.ts';
import { answersFor, type MarkAnswer, markedTasks } from '../../scheduler/begin/decide-marks.ts';
import { unmergedLines } from '../../scheduler/begin/unmerged-lines.ts';
import { pathInside, type ReadPlan } from '../../scheduler/begin/read-run-plan.ts';
import { readPlanText } from '../../project/plan-file.ts';
import { findRepository } from '../../workspace/git/repository.ts';
import type { RunOptions } from '../../scheduler/agent-run.ts';

type Place = Pick<RunOptions, 'project' | 'environment'>;

export async function unmergedMarks(
  ledger: LedgerReader,
  read: Pick<ReadPlan, 'file' | 'plan'>,
  { project, environment }: Place,
): Promise<UnmergedRun[]> {
  const marked = markedTasks(read);
  if (marked.length === 0) return [];
  const repository = await findRepository(project, environment);
  return findUnmergedMarks(ledger, repository, { file: read.file, marked, baseBranch: read.plan.settings.baseBranch });
}

export interface AskedMarks {
  /** For a person. */
  readonly lines: readonly string[];
  readonly answers: readonly MarkAnswer[];
}

/** Before the run starts; undefined where nothing has to be asked. A faulty plan is refused later. */
export async function marksToAsk(path: string, place: Place): Promise<AskedMarks | undefined> {
  const file = await pathInside(place.project, resolve(path)).catch(() => undefined);
  if (file === undefined) return undefined;
  const { text } = await readPlanText(join(place.project, file), file);
  const { plan } = loadPlan(text, file);
  const isOpen = plan.waves.some(({ tasks }) => tasks.some(({ mark }) => mark !== 'x'));
  if (!isOpen) return undefined;
  const ledger = readLedger(place.project);
  try {
    const found = await unmergedMarks(ledger, { file, plan }, place);
    return found.length === 0 ? undefined : { lines: unmergedLines(found), answers: answersFor(found) };
  } finally {
    ledger.close();
  }
}
