/**
 * What a person sees of features while they are built: MASTER.md, and the document of each with the marks of its phases. Both
 * follow from the ledger: a crash costs nothing, the next process writes them again.
 *
 * A document is written once for a run; after that a person may edit it, and only the marks of its phases change.
 */
import { join } from 'node:path';
import { messageOf } from '../contracts/error.ts';
import { unsafe } from '../contracts/flatten.ts';
import { documentPath, featureFolder } from '../core/feature-document.ts';
import { featuresOf, type FeatureStanding } from '../core/features-of.ts';
import type { RunState } from '../core/state.ts';
import type { FeaturesWorkflow } from '../core/workflow.ts';
import type { RunHooks } from '../scheduler/drive-project.ts';
import { noPostflight } from '../scheduler/perform-step.ts';
import { markPhase, type PhaseMark, readPhases } from '../todo/plan-phases.ts';
import { completedPhases, masterFile, masterText } from '../views/master-text.ts';
import { folderInside, writeAtomically } from '../workspace/atomic-file.ts';
import { readInside } from '../workspace/project-path.ts';

const atMostEvery = 500;

export interface FeatureViews {
  /** Absolute. */
  readonly project: string;
  readonly workflow: FeaturesWorkflow;
  readonly warn: (error: unknown) => void;
}

export function featureHooks(views: FeatureViews): RunHooks {
  let latest: RunState | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let told = '';

  /** Once, however often it is tried. */
  function warnOnce(error: unknown): void {
    if (messageOf(error) === told) return;
    told = messageOf(error);
    views.warn(error);
  }

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    const state = latest;
    if (state === undefined) return;
    writing = writing.then(() => writeViews(state, views)).catch(warnOnce);
  }

  return {
    postflight: noPostflight,
    followed(_event, state) {
      latest = state;
      timer ??= setTimeout(write, atMostEvery);
      timer.unref();
    },
    async idle() {
      write();
      await writing;
    },
  };
}

/** Both, as the state is now. */
export async function writeViews(state: RunState, { project, workflow }: Omit<FeatureViews, 'warn'>): Promise<void> {
  const master = masterText(state, workflow);
  const documents = featuresOf(state, workflow).all.map((one) => [one, outcomeDocument(one), marksOf(one)] as const);
  const { run } = state.created;
  await folderInside(project, featureFolder);
  for (const [{ feature }, text, marks] of documents) {
    if (text !== undefined) await writeDocument(project, feature.slug, { run, text, marks });
  }
  await replace(project, masterFile, master);
}

function outcomeDocument({ doc }: FeatureStanding): string | undefined {
  if (doc?.progress.status !== 'completed' || !('outcome' in doc.progress)) return undefined;
  return doc.progress.outcome?.document;
}

function marksOf(standing: FeatureStanding): Map<number, PhaseMark> {
  const done = completedPhases(standing);
  const { history, status } = standing;
  const marks = new Map<number, PhaseMark>();
  for (const turn of history) {
    const isHalted = status.kind === 'halted' ? 'PARTIAL' : 'IN PROGRESS';
    marks.set(turn.phase, turn.phase <= done ? 'COMPLETED' : isHalted);
  }
  return marks;
}

const ownMark = (run: string): string => `<!-- tutti: ${run} -->`;
const anyMark = /<!-- tutti: run_\w+/;

interface Written {
  readonly run: string;
  readonly text: string;
  readonly marks: ReadonlyMap<number, PhaseMark>;
}

async function writeDocument(project: string, slug: string, { run, text, marks }: Written): Promise<void> {
  const path = documentPath(slug);
  const found = await readInside(project, path);
  const isOwn = found?.includes(ownMark(run)) === true;
  // What a person wrote there before is theirs.
  if (found !== undefined && !isOwn && !anyMark.test(found)) {
    await replace(project, path.replace(/\.md$/, `.before-${run}.md`), found);
  }
  const now = isOwn ? found : `${text.replace(unsafe, ' ').trimEnd()}\n\n${ownMark(run)}\n`;
  await replace(project, path, marked(now, marks), found);
}

/** The document has numbers of its own for its phases; what counts is their order. */
function marked(text: string, marks: ReadonlyMap<number, PhaseMark>): string {
  let now = text;
  for (const [index, { number, isDone }] of readPhases(text).entries()) {
    const mark = marks.get(index + 1);
    if (mark !== undefined) now = markPhase(now, number, mark);
    else if (isDone) now = markPhase(now, number, 'NOT STARTED');
  }
  return now;
}

/** Only where that changes something, and nobody has written in between. */
async function replace(project: string, path: string, text: string, found?: string): Promise<void> {
  const before = found ?? (await readInside(project, path));
  if (before === text) return;
  const still = async (): Promise<boolean> => (await readInside(project, path)) === before;
  await writeAtomically(join(project, path), text, still);
}
