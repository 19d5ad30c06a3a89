/**
 * Writes MASTER.md and the feature documents with their phase marks. Both derive from the ledger: the next process rewrites them after a crash.
 */
import { dirname } from 'node:path';
import { messageOf } from '../base/error.ts';
import { documentPath, featureFolder } from '../core/features/feature-document.ts';
import { featuresOf, type FeatureStanding } from '../core/features/features-of.ts';
import type { RunState } from '../core/state/state.ts';
import type { FeaturesWorkflow } from '../core/event/workflow.ts';
import type { RunHooks } from '../scheduler/agent-run.ts';
import { noPostflight } from '../scheduler/perform/perform-step.ts';
import type { PhaseMark } from '../todo/plan-phases.ts';
import { isCompletedPhase, masterFile, masterText } from '../views/files/master-text.ts';
import { folderInside } from '../workspace/project-path.ts';
import { replaceFile, writeDocument } from './feature-file.ts';

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
  let lastWarning = '';

  /** Reports each error once. */
  function warnOnce(error: unknown): void {
    if (messageOf(error) === lastWarning) return;
    lastWarning = messageOf(error);
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

/** Writes all of these files for the current state. */
export async function writeViews(state: RunState, { project, workflow, warn }: FeatureViews): Promise<void> {
  const documents = featuresOf(state, workflow).all.map((one) => [one, outcomeDocument(one), marksOf(one)] as const);
  const { run } = state.created;
  await folderInside(project, featureFolder);
  const notes: string[] = [];
  for (const [{ feature }, text, marks] of documents) {
    if (text === undefined) continue;
    await folderInside(project, dirname(documentPath(feature)));
    const described = { run, path: documentPath(feature), isExisting: feature.document !== undefined, text, marks };
    notes.push(...(await writeDocument(project, described, (what) => warn(new Error(what)))));
  }
  await replaceFile(project, masterFile, masterText(state, workflow, notes));
}

function outcomeDocument({ doc, feature }: FeatureStanding): string | undefined {
  if (feature.document !== undefined) return feature.document.text;
  if (doc?.progress.status !== 'completed' || !('outcome' in doc.progress)) return undefined;
  return doc.progress.outcome?.document;
}

function marksOf(standing: FeatureStanding): Map<number, PhaseMark> {
  const { history, status } = standing;
  const marks = new Map<number, PhaseMark>();
  for (const turn of history) {
    const isHalted = status.kind === 'halted' ? 'PARTIAL' : 'IN PROGRESS';
    marks.set(turn.phase, isCompletedPhase(standing, turn.phase) ? 'COMPLETED' : isHalted);
  }
  return marks;
}
