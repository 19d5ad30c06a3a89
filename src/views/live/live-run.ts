/**
 * Live run: follows a run for the live view. Keeps counts from event to event; a look reads the running tasks, the latest
 * trouble and a bounded part of the current wave, so its cost does not grow with the number of tasks.
 */
import { failureOf } from '../../core/event/make-outcome.ts';
import { defined } from '../../base/defined.ts';
import type { EventOf, RunEvent } from '../../core/event/event.ts';
import { taskOfGate } from '../../core/state/gate.ts';
import {
  type CheckpointState,
  currentWave,
  findTask,
  openCheckpoints,
  type RunState,
  type WaveState,
} from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { waitingFor } from '../../core/state/waiting.ts';
import { whyOf } from '../../core/state/checkpoint-why.ts';
import { answersOf } from '../run/checkpoint-question.ts';
import {
  type AgentActivity,
  type LiveCheckpoint,
  type LiveModel,
  type LiveTask,
  type LiveWave,
  noCounts,
  type Standing,
  standingIn,
  standings,
} from './live-model.ts';
import { skippedText, waitingText } from '../run/waiting-text.ts';

/** Looks up the activity of a delegation. */
export type ActivityOf = (registered: EventOf<'delegation.registered'>, wave: number) => AgentActivity | undefined;

export interface LiveRun {
  /** Takes each event with the state after its commit. */
  follow(event: RunEvent, state: RunState): void;
  /** Null before the first event. Returns at most `most` tasks, and as many waves before and after. */
  look(most: number, activityOf?: ActivityOf): LiveModel | null;
}

/** Most tasks of a wave to scan for waiting ones. */
const reach = 200;
/** Most ended or failed tasks to remember. */
const memory = 100;

/** Events that change tasks without naming them. */
const many = new Set<RunEvent['kind']>([
  'run.started',
  'run.paused',
  'run.ended',
  'wave.planned',
  'work.reopened',
  'plan.amended',
  'checkpoint.opened',
  'checkpoint.answered',
]);

export function liveRun(): LiveRun {
  let state: RunState | undefined;
  let since = 0;
  let known = new Map<string, Standing>();
  let total = noCounts();
  let byWave: Record<Standing, number>[] = [];
  let isStale = true;
  const troubles = new Set<TaskState>();
  const took = new Map<string, number>();
  const began = new Map<string, number>();
  /** Position in the current wave before which no task waits. */
  let seenUpTo = { wave: -1, place: 0 };

  function note(of: RunState, task: TaskState): void {
    const { id } = task.planned;
    const standing = standingIn(of, task);
    const before = known.get(id);
    if (before === standing) return;
    const wave = (byWave[task.wave - 1] ??= noCounts());
    if (before !== undefined) {
      total[before] -= 1;
      wave[before] -= 1;
    }
    total[standing] += 1;
    wave[standing] += 1;
    known.set(id, standing);
    if (standing === 'trouble') troubles.add(task);
    else troubles.delete(task);
    for (const oldest of troubles) {
      if (troubles.size <= memory) break;
      troubles.delete(oldest);
    }
    if (standing === 'waiting') seenUpTo.wave = -1;
  }

  function recount(of: RunState): void {
    known = new Map();
    total = noCounts();
    byWave = [];
    troubles.clear();
    for (const task of of.tasks.values()) note(of, task);
    isStale = false;
  }

  function time(event: RunEvent): void {
    if (event.kind === 'delegation.registered') {
      began.set(event.delegation, event.at);
    } else if (event.kind === 'delegation.ended') {
      took.delete(event.task);
      took.set(event.task, event.at - (began.get(event.delegation) ?? event.at));
      began.delete(event.delegation);
      for (const oldest of took.keys()) {
        if (took.size <= memory) break;
        took.delete(oldest);
      }
    }
  }

  function waitingIn(wave: WaveState, most: number): TaskState[] {
    const { tasks, number } = wave;
    if (seenUpTo.wave !== number) seenUpTo = { wave: number, place: 0 };
    const isWaiting = (task: TaskState | undefined): boolean => task?.progress.status === 'pending';
    while (seenUpTo.place < tasks.length && !isWaiting(tasks[seenUpTo.place])) seenUpTo.place += 1;
    return tasks
      .slice(seenUpTo.place, seenUpTo.place + reach)
      .filter(isWaiting)
      .slice(0, most);
  }

  /** Running tasks, then trouble (latest first), then waiting ones; all tasks of a small wave. */
  function chosen(of: RunState, wave: WaveState, most: number): TaskState[] {
    const running = [...of.active.values()].flatMap(({ registered }) => findTask(of, registered.task) ?? []);
    const inTrouble = [...troubles].filter((task) => task.wave === wave.number).toReversed();
    const own = wave.tasks.length <= reach ? wave.tasks : waitingIn(wave, most);
    const rest = [...own, ...wave.added.slice(-reach)].toSorted(byStanding(of));
    const order = [running, inTrouble, rest].flatMap((some) => some.slice(0, most));
    return [...new Set(order)];
  }

  return {
    follow(event, after) {
      state = after;
      time(event);
      if (event.kind === 'run.started') since = event.at;
      if (many.has(event.kind)) isStale = true;
      const id = subjectOf(event);
      const task = isStale || id === undefined ? undefined : after.tasks.get(id);
      if (task !== undefined) note(after, task);
    },
    look(most, activityOf = () => undefined) {
      if (state === undefined) return null;
      const of = state;
      if (isStale || known.size !== of.tasks.size) recount(of);
      const wave = currentWave(of);
      const at = wave.number - 1;
      const waveOf = ({ number, title, status }: WaveState): LiveWave => {
        return { number, title: titleOf(of, number, title), status, counts: byWave[number - 1] ?? noCounts() };
      };
      const tasks = chosen(of, wave, most);
      const places = new Map([...wave.tasks.slice(0, reach), ...wave.added].map((task, place) => [task, place]));
      return {
        run: of.created.run,
        title: of.created.plan.title,
        status: of.status,
        since: since === 0 ? of.created.at : since,
        counts: total,
        wave: waveOf(wave),
        tasks: tasks.map((task) => liveTask(of, task, { place: places.get(task) ?? 0, took, activityOf })),
        before: of.waves.slice(Math.max(0, at - most), Math.max(0, at)).map(waveOf),
        after: of.waves.slice(at + 1, at + 1 + most).map(waveOf),
        waves: of.waves.length,
        checkpoints: openCheckpoints(of).map((one) => checkpointOf(of, one)),
        quota: of.quota,
        disk: of.disk.low,
      };
    },
  };
}

/** The task that an event may have changed: of a review, the one that is reviewed. */
function subjectOf(event: RunEvent): string | undefined {
  if (event.kind === 'task.added') return taskOfGate(event.gate);
  return 'task' in event && typeof event.task === 'string' ? event.task : undefined;
}

/** The audit and the final review have no title in the plan. */
function titleOf({ audit, final }: RunState, number: number, title: string): string {
  if (number === audit.number) return 'audit';
  return number === final.number ? 'final review' : title;
}

function byStanding(state: RunState): (one: TaskState, other: TaskState) => number {
  const rank = (task: TaskState): number => standings.indexOf(standingIn(state, task));
  return (one, other) => rank(one) - rank(other);
}

interface Known {
  readonly place: number;
  readonly took: ReadonlyMap<string, number>;
  readonly activityOf: ActivityOf;
}

function liveTask(state: RunState, task: TaskState, { place, took, activityOf }: Known): LiveTask {
  const { planned, progress } = task;
  const delegation = 'delegation' in progress ? progress.delegation : undefined;
  const active = delegation === undefined ? undefined : state.active.get(delegation);
  const { tier } = task;
  const activity = active === undefined ? undefined : activityOf(active.registered, task.wave);
  const ended = active === undefined && progress.status !== 'pending' ? took.get(planned.id) : undefined;
  return {
    id: planned.id,
    place,
    title: planned.title,
    tier,
    escalated: tier !== planned.tier,
    status: progress.status,
    standing: standingIn(state, task),
    words: wordsOf(state, task),
    ...(active === undefined ? {} : { since: active.registered.at }),
    ...defined({ took: ended, activity }),
  };
}

function wordsOf(state: RunState, task: TaskState): string {
  const { progress } = task;
  const waiting = waitingFor(state, task);
  if (waiting !== undefined) return waitingText(waiting);
  if (progress.status === 'skipped') return skippedText(task.planned.id, progress.because);
  if (progress.status === 'repairing') return 'repairing its return';
  if (progress.status === 'verifying') return 'verifying its work';
  if (progress.status === 'merging') return "merging into the run's branch";
  if (!('outcome' in progress)) return '';
  return failureOf(progress.outcome)?.message ?? progress.outcome?.summary ?? '';
}

function checkpointOf(state: RunState, one: CheckpointState): LiveCheckpoint {
  const { id, kind } = one;
  return { id, why: whyOf(state, one), ...answersOf(state, one), ...(kind === 'edit' ? { isEdit: true } : {}) };
}
