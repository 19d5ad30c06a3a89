/** Grows the wave in which features are built: adds the next step of each feature as soon as it is known. */
import { oneLine } from '../../base/text.ts';
import { workflowAs } from '../event/run-kind.ts';
import { requestCheckpoint, type Decision, record } from './decision.ts';
import { needKey } from '../features/feature-graph.ts';
import { stepTask } from '../features/feature-tasks.ts';
import { type Cycle, type Features, featuresOf, type FeatureStanding } from '../features/features-of.ts';
import type { NextStep } from '../features/next-step.ts';
import type { RunState, WaveState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

/** Undefined in the final review, which builds nothing. */
function built(state: RunState, wave: WaveState): Features | undefined {
  const workflow = workflowAs(state.created, 'features');
  return workflow === undefined || wave.number !== state.waves.length ? undefined : featuresOf(state, workflow);
}

/**
 * All features are described before the first is built, so the most urgent comes first; one that waits for a person
 * does not block the others.
 */
function isDescribing({ steps }: RunState, { all }: Features): boolean {
  if (steps.size > 0) return false;
  return all.some(({ doc, status }) => status.kind === 'describing' && doc !== undefined && !isAsked(doc));
}

function isAsked({ progress }: TaskState): boolean {
  return progress.status === 'ended' && progress.asks !== undefined && 'checkpoint' in progress.asks;
}

/**
 * Steps come first, because a question about one feature does not block the others. One question at a time, because
 * each takes the next number.
 */
export function featureDecisions(state: RunState, wave: WaveState): readonly Decision[] {
  const features = built(state, wave);
  if (features === undefined || isDescribing(state, features)) return [];
  const steps = features.all.flatMap((one) => (one.status.kind === 'step' ? [added(state, one, one.status)] : []));
  if (steps.length > 0) return steps;
  const cycle = features.cycles.find(({ status }) => status === 'new');
  if (cycle !== undefined) return [askAbout(state, cycle)];
  for (const { status, feature } of features.all) {
    if (status.kind !== 'ask') continue;
    const why = `${feature.slug}: ${oneLine(status.why, 300)}`;
    return [requestCheckpoint(state, { type: 'feature', why, step: status.task })];
  }
  return [];
}

type Step = Extract<NextStep, { kind: 'step' }>;

function added(state: RunState, standing: FeatureStanding, { phase, part, agent, issues }: Step): Decision {
  const { feature, history } = standing;
  const before = history.filter((turn) => turn.phase === phase && turn.part === part && turn.agent === agent);
  const round = before.length + 1;
  const task = stepTask(state, standing, { part, agent, phase, round, issues });
  return record({ kind: 'step.added', wave: state.waves.length, feature: feature.slug, phase, part, round, task });
}

function askAbout(state: RunState, { path, drop }: Cycle): Decision {
  const why = `features depend on each other: ${path}; dropping “${drop.from} needs ${drop.to}” puts ${drop.from} first`;
  return requestCheckpoint(state, { type: 'cycle', why, need: needKey(drop) });
}

/**
 * The status with which the wave ends; `open` while a feature waits for a person. Undefined if the wave builds none.
 */
export function endOfFeatures(state: RunState, wave: WaveState): 'open' | 'completed' | 'failed' | undefined {
  const features = built(state, wave);
  if (features === undefined) return undefined;
  const kinds = new Set(features.all.map(({ status }) => status.kind));
  kinds.delete('completed');
  if (kinds.size === 0) return 'completed';
  kinds.delete('halted');
  return kinds.size === 0 ? 'failed' : 'open';
}
