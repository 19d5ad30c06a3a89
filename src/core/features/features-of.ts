/** Derives the status of each feature from the run's records: its history, what it waits for, its next step. */
import { defined } from '../../base/defined.ts';
import { featureDocument, type FeatureDocument } from './feature-document.ts';
import {
  findCycles,
  cyclePath,
  featureOrder,
  type FeatureNode,
  type Linked,
  linkFeatures,
  type Need,
  needIn,
  needKey,
  waysOut,
} from './feature-graph.ts';
import { docId } from '../event/workflow-step.ts';
import { findingsOf } from '../event/judgement.ts';
import { isSentBack } from '../state/hold.ts';
import { type FeatureTurn, type NextStep, nextStep } from './next-step.ts';
import type { CheckpointOf, CheckpointState, RunState } from '../state/state.ts';
import type { TaskProgress, TaskState } from '../state/task-state.ts';
import type { Feature, FeaturesWorkflow } from '../event/workflow.ts';

export type FeatureStatus =
  | NextStep
  /** Its document is not written yet. */
  | { readonly kind: 'describing' }
  /** Waits for other features. */
  | { readonly kind: 'behind'; readonly features: readonly string[] }
  /** A person is asked which feature of the cycle comes first. */
  | { readonly kind: 'in-cycle'; readonly path: string };

export interface FeatureStanding {
  readonly feature: Feature;
  readonly document: FeatureDocument;
  readonly doc: TaskState | undefined;
  readonly needs: readonly string[];
  readonly history: readonly FeatureTurn[];
  readonly status: FeatureStatus;
}

export interface Cycle {
  readonly path: string;
  readonly features: readonly string[];
  /** The need proposed for dropping, and the alternatives. */
  readonly drop: Need;
  readonly others: readonly Need[];
  readonly status: 'new' | 'open' | 'rejected';
}

export interface Features {
  /** In the order in which they are built. */
  readonly all: readonly FeatureStanding[];
  readonly cycles: readonly Cycle[];
  readonly unknown: readonly { readonly feature: string; readonly name: string }[];
}

export function featuresOf(state: RunState, { features, extras }: FeaturesWorkflow): Features {
  const docs = new Map(features.map(({ slug }) => [slug, state.tasks.get(docId(slug))]));
  const documents = new Map(features.map((one) => [one.slug, featureDocument(outcomeOf(docs.get(one.slug)), one)]));
  const nodes = features.map(({ slug, title }): FeatureNode => {
    const { dependencies, priority } = documents.get(slug) as FeatureDocument;
    return { slug, title, dependencies, priority };
  });
  const { needs, unknown } = linkFeatures(nodes, droppedNeeds(state, nodes));
  const cycles = cyclesIn(state, nodes, needs);
  const histories = historiesOf(state);
  const standing = new Map<string, FeatureStanding>();
  return { all: featureOrder(nodes, needs).map(standingOf), cycles, unknown };

  /** Resolves the features it needs first, whatever their order; statuses of cycles end the recursion. */
  function standingOf(slug: string): FeatureStanding {
    const found = standing.get(slug);
    if (found !== undefined) return found;
    const feature = features.find((one) => one.slug === slug) as Feature;
    const document = documents.get(slug) as FeatureDocument;
    const [doc, own, history] = [docs.get(slug), needs.get(slug) ?? [], histories.get(slug) ?? []];
    const status =
      undescribed(doc) ??
      inCycle(cycles, slug, docId(slug)) ??
      heldUp(own.map(standingOf)) ??
      nextStep(history, { phases: document.phases.length, extras, done: doneBefore(document) });
    const now = { feature, document, doc, needs: own, history, status };
    standing.set(slug, now);
    return now;
  }
}

/** The phases that were finished before the run, from 1. */
function doneBefore({ phases }: FeatureDocument): Set<number> {
  return new Set(phases.flatMap(({ isDone }, at) => (isDone ? [at + 1] : [])));
}

function outcomeOf(task: TaskState | undefined): ReturnType<typeof progressOutcome> {
  return task?.progress.status === 'completed' ? progressOutcome(task.progress) : undefined;
}

const progressOutcome = (progress: TaskProgress) => ('outcome' in progress ? progress.outcome : undefined);

function undescribed(doc: TaskState | undefined): FeatureStatus | undefined {
  if (doc === undefined || !isOver(doc.progress)) return { kind: 'describing' };
  return doc.progress.status === 'completed'
    ? undefined
    : { kind: 'halted', task: doc.planned.id, why: 'it has no document' };
}

function inCycle(cycles: readonly Cycle[], slug: string, task: string): FeatureStatus | undefined {
  const cycle = cycles.find(({ features }) => features.includes(slug));
  if (cycle === undefined) return undefined;
  return cycle.status === 'rejected'
    ? { kind: 'halted', task, why: `dependency cycle: ${cycle.path}`, byOther: true }
    : { kind: 'in-cycle', path: cycle.path };
}

/** Halted or waiting because of the features it needs. */
function heldUp(others: readonly FeatureStanding[]): FeatureStatus | undefined {
  const halted = others.find(({ status }) => status.kind === 'halted');
  if (halted?.status.kind === 'halted') {
    const why = `it needs ${halted.feature.slug}, which is halted`;
    return { kind: 'halted', task: halted.status.task, why, byOther: true };
  }
  const open = others.filter(({ status }) => status.kind !== 'completed').map(({ feature }) => feature.slug);
  return open.length === 0 ? undefined : { kind: 'behind', features: open };
}

function isOver({ status }: TaskProgress): boolean {
  return status === 'completed' || stopped.has(status);
}

const stopped = new Set<TaskProgress['status']>(['failed', 'partial', 'blocked', 'skipped']);

/** For each cycle, the need that was proposed, or the one that a person named instead. */
function droppedNeeds({ checkpoints }: RunState, nodes: readonly FeatureNode[]): Set<string> {
  const ignored = new Set<string>();
  for (const one of checkpoints) {
    if (one.kind !== 'cycle' || one.status !== 'approved') continue;
    const { need: proposed, note = '' } = one;
    const ways = findCycles(nodes, linkFeatures(nodes, ignored).needs).map((cycle) => waysOut(cycle, nodes));
    const instead = needIn(note, ways.find((way) => way.some((need) => needKey(need) === proposed)) ?? []);
    ignored.add(instead === undefined ? proposed : needKey(instead));
  }
  return ignored;
}

function cyclesIn(state: RunState, nodes: readonly FeatureNode[], needs: Linked['needs']): Cycle[] {
  return findCycles(nodes, needs).flatMap((features): Cycle[] => {
    const [drop, ...others] = waysOut(features, nodes);
    if (drop === undefined) return [];
    const key = needKey(drop);
    const isAsked = (status: 'open' | 'rejected'): boolean =>
      state.checkpoints.some((one) => one.kind === 'cycle' && one.status === status && one.need === key);
    const status = isAsked('open') ? 'open' : isAsked('rejected') ? 'rejected' : 'new';
    return [{ path: cyclePath(features), features, drop, others, status }];
  });
}

const answers: Readonly<Record<CheckpointState['status'], FeatureTurn['answer']>> = {
  coming: undefined,
  open: 'open',
  approved: 'yes',
  rejected: 'no',
  replaced: undefined,
};

/** By feature. */
function historiesOf(state: RunState): Map<string, FeatureTurn[]> {
  const histories = new Map<string, FeatureTurn[]>();
  for (const [id, { feature, phase, part }] of state.steps) {
    const task = state.tasks.get(id) as TaskState;
    const { status } = task.progress;
    const outcome = progressOutcome(task.progress);
    const asked = state.checkpoints.findLast(
      (one): one is CheckpointOf<'feature'> => one.kind === 'feature' && one.step === id,
    );
    const answer = asked === undefined ? undefined : isSentBack(asked) ? 'again' : answers[asked.status];
    const action = outcome?.structuredResult?.action;
    const notes = outcome?.structuredResult === undefined ? [] : findingsOf(outcome.structuredResult);
    const turn: FeatureTurn = {
      task: id,
      phase,
      part,
      agent: task.planned.agent,
      status: status === 'completed' ? 'completed' : stopped.has(status) ? 'stopped' : 'open',
      notes: notes.length === 0 ? [outcome?.summary ?? ''] : notes,
      ...defined({ action, answer, said: asked?.note }),
    };
    const others = histories.get(feature);
    if (others === undefined) histories.set(feature, [turn]);
    else others.push(turn);
  }
  return histories;
}
