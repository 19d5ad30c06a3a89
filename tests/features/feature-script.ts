/** A run of features on the real core and loop, in memory: what each step says is data. */
import { workflowAs } from '../../src/core/event/run-kind.ts';
import type { Action } from '../../src/contracts/contract.ts';
import type { Feature } from '../../src/core/event/workflow.ts';
import { isDoc } from '../../src/core/event/workflow-step.ts';
import { newRunId } from '../../src/base/ids.ts';
import type { Activity } from '../../src/core/attempt/activity.ts';
import type { NewEvent, RunEvent } from '../../src/core/event/event.ts';
import { readFeatures } from '../../src/core/features/feature-list.ts';
import { docTask } from '../../src/core/features/feature-tasks.ts';
import { featuresOf } from '../../src/core/features/features-of.ts';
import type { PartialOutcome } from '../../src/core/event/make-outcome.ts';
import { coreVersion, type RunState } from '../../src/core/state/state.ts';
import { type ScriptedRun, scriptedWork } from '../support/scripted-run.ts';

/** Of a document; two phases, priority 3 and no dependencies unless it says so. */
export interface DocWords {
  readonly phases?: number;
  readonly needs?: readonly string[];
  readonly priority?: number;
}

/** `no`: sent back. `later`: deferred. `changed`: to be reviewed. `unread`: not accepted after two repairs; `misread`: with what could be read. */
export type StepWord = 'ok' | 'no' | 'later' | 'changed' | 'blocked' | 'partial' | 'failed' | 'unread' | 'misread';

export interface Told {
  readonly docs?: Readonly<Record<string, DocWords>>;
  /** By task, for each attempt at it; the last one continues. */
  readonly steps?: Readonly<Record<string, StepWord | readonly StepWord[]>>;
  readonly extras?: readonly string[];
  readonly concurrency?: number;
}

export function featureRun(
  what: string | readonly Feature[],
  told: Told = {},
  word?: (activity: Activity) => StepWord,
): ScriptedRun {
  const said = word ?? ((activity) => wordFor(told, activity));
  return scriptedWork(firstEvents(what, told), (activity) => outcomeOf(activity, said(activity), told));
}

function wordFor({ steps = {} }: Told, { task, registered }: Activity): StepWord {
  const words = [steps[task.id] ?? 'ok'].flat();
  return words[registered.attempt - 1] ?? words.at(-1) ?? 'ok';
}

function firstEvents(what: string | readonly Feature[], { extras = [], concurrency = 3 }: Told): NewEvent[] {
  const features = typeof what === 'string' ? readFeatures(what) : [...what];
  const wave = (number: number, tasks: ReturnType<typeof docTask>[]): NewEvent => {
    return { kind: 'wave.planned', wave: number, number, title: '', reviewTier: 'deep', tasks };
  };
  return [
    {
      kind: 'run.created',
      run: newRunId(new Date(0), () => 0),
      core: coreVersion,
      plan: { file: '', hash: '', title: 'Features', goal: '' },
      settings: { concurrency, driver: '', deadlines: {}, mode: 'default', budgets: {}, gated: true },
      waves: 1,
      checkpoints: [],
      workflow: { kind: 'features', features, extras: [...extras] },
    },
    wave(
      1,
      features.map((one) => docTask(one, features)),
    ),
  ];
}

const actions: Partial<Record<StepWord, Action>> = { no: 'fix', later: 'defer', changed: 'review' };

function outcomeOf({ task, registered }: Activity, word: StepWord, { docs = {} }: Told): PartialOutcome {
  const notes = [`${task.id} says ${word}`];
  if (word === 'blocked') return { status: 'blocked', failure: { class: 'unclear', message: `${task.id}: which?` } };
  if (word === 'failed') return { status: 'failed', failure: { class: 'agent-error', message: `${task.id} broke` } };
  if (word === 'partial') return { status: 'partial', failure: { class: 'unfinished', message: 'more to do' } };
  const failure = { class: 'contract-violation', message: 'no block' } as const;
  const refused = { status: 'blocked', failure, report: 'said.md' } as const;
  if (word === 'unread') return refused;
  const told = { action: actions[word] ?? 'proceed', notes, artifacts: [], fields: {} };
  if (!isDoc(task.id))
    return { structuredResult: { ...told, notes: word === 'ok' ? [] : notes }, summary: registered.agent };
  const { phases = 2, needs = [], priority = 3 } = docs[task.id.replace(/\.doc$/, '')] ?? {};
  const headings = Array.from({ length: phases }, (_, at) => `## Phase ${at + 1}: Part ${at + 1}\n\n- [ ] step\n`);
  const described = {
    structuredResult: { ...told, fields: { dependencies: [...needs], priority, phases } },
    document: headings.join('\n'),
  };
  return word === 'misread' ? { ...refused, ...described } : described;
}

/** What was delegated, in order. */
export function delegated(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => (event.kind === 'delegation.registered' ? [event.task] : []));
}

/** How each feature stands, by its name. */
export function standings(state: RunState): Record<string, string> {
  const workflow = workflowAs(state.created, 'features');
  if (workflow === undefined) throw new Error('the run has no features');
  const all = featuresOf(state, workflow).all;
  return Object.fromEntries(all.map(({ feature, status }) => [feature.slug, status.kind]));
}
