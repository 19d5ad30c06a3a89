/**
 * RunLoop: decides through the core and acts through the engine. Nothing takes effect before it is in the ledger.
 *
 * One round: happenings become events, the core decides until it is quiet, one transaction commits all of it, and only then do
 * delegations start and views change. Events are applied in memory before they are committed, because deciding needs them; a
 * commit that fails ends the loop and discards that memory. `race` is the only await.
 */
import type { DelegationId } from '../base/ids.ts';
import type { Decision } from '../core/decide/decision.ts';
import { decideUntilQuiet } from '../core/decide/decide-until-quiet.ts';
import type { NewEvent, RunEvent } from '../core/event/event.ts';
import type { EventKind } from '../core/event/event-kinds.ts';
import { whyOf } from '../core/state/checkpoint-why.ts';
import { stoppingTrouble, wakeTime } from '../core/state/hold.ts';
import { openCheckpoints, openOf, type RunState } from '../core/state/state.ts';
import type { Clock } from '../engine/clock.ts';
import type { Engine, Happening, StopKind } from '../engine/engine.ts';
import type { CommitQueue } from '../ledger/commit-queue.ts';
import { registerDelegation } from '../core/attempt/register-delegation.ts';
import type { LookAtDisk } from '../run-work/room-space.ts';
import { lookAgainAfter, takeDisk } from './look-at-disk.ts';
import { takeHappening } from './take-happening.ts';

export interface LoopDeps {
  readonly engine: Engine;
  /** Takes the happenings from before the loop, such as a stop or an answer during the start. */
  readonly before?: () => readonly Happening[];
  readonly commits: Pick<CommitQueue, 'begin'>;
  readonly clock: Clock;
  readonly newDelegation: () => DelegationId;
  /** See `register-delegation.ts`. */
  readonly keyOf?: (task: string) => string | undefined;
  /** Milliseconds that running delegations get to finish when the run pauses. */
  readonly grace: number;
  /** Waits for an open checkpoint, or pauses the run once nothing else can be done. */
  readonly atCheckpoint: 'wait' | 'pause';
  /** Absent: the disk is not looked at. */
  readonly disk?: LookAtDisk;
}

const beginnings = new Set<EventKind>(['wave.started', 'task.added', 'step.added']);

/** A stopping run starts nothing new. It records what has ended and, during the grace period, still verifies and merges it. */
function isTakenWhileStopping(decision: Decision, isGraceOver: boolean): boolean {
  if (decision.kind === 'step') return !isGraceOver;
  if (decision.kind !== 'record' || beginnings.has(decision.event.kind)) return false;
  return decision.event.kind !== 'merge.started' || !isGraceOver;
}

const isEnd = (decision: Decision): boolean => decision.kind === 'record' && decision.event.kind === 'run.ended';

/** Runs until the run has ended or is paused; the returned state shows which. */
export async function runLoop(state: RunState, deps: LoopDeps): Promise<RunState> {
  const { engine, clock } = deps;
  let stop: StopKind | null = null;
  let endGrace: (() => void) | undefined;
  let isGraceOver = false;
  /** Keys of the steps under way: the core decides on them again until they are done. */
  const steps = new Set<string>();

  function stopping(how: StopKind): void {
    if (how === 'pause') {
      if (stop !== null) return;
      stop = how;
      endGrace = clock.after(deps.grace, () => {
        isGraceOver = true;
        engine.cancel('gently');
      });
      return;
    }
    if (stop !== 'cancel') stop = how;
    isGraceOver = true;
    endGrace?.();
    engine.cancel('at-once');
  }

  // Asks first: an early answer counts in the first round, which may pause the run otherwise.
  for (const one of openCheckpoints(state)) engine.ask({ key: one.id, why: whyOf(state, one) });
  let happenings = deps.before?.() ?? [];
  try {
    for (;;) {
      const round = deps.commits.begin();
      const effects: (() => void)[] = [];
      const record = (event: NewEvent): RunEvent => {
        const whole = round.record(event);
        if (whole.kind === 'checkpoint.opened')
          effects.push(() => engine.ask({ key: whole.checkpoint, why: whole.why }));
        return whole;
      };
      const consumed: number[] = [];
      for (const happening of happenings) {
        if ('row' in happening && happening.row !== undefined) consumed.push(happening.row);
        // A result for a step that is not under way is a duplicate.
        if ((happening.kind === 'stepped' || happening.kind === 'interrupted') && !steps.delete(happening.key))
          continue;
        if (happening.kind === 'stop') stopping(happening.how);
        else takeHappening(state, happening, record);
      }
      if (stop === null) takeDisk(state, deps.disk, record);
      decideAll(state, deps, record, { isStopping: stop !== null, isGraceOver, steps, effects });
      if (state.status === 'running' && steps.size === 0) {
        const rest = restOf(state, stop, deps.atCheckpoint);
        if (rest !== undefined) record(rest);
      }
      round.commit(consumed);
      if (state.status !== 'running') return state;
      for (const effect of effects) effect();
      engine.wakeAt(stop === null ? nextWake(state, deps) : undefined);
      happenings = await engine.race();
    }
  } finally {
    endGrace?.();
    engine.wakeAt(undefined);
  }
}

/** While the disk is full, it is looked at again and again. */
function nextWake(state: RunState, { clock, disk }: LoopDeps): number | undefined {
  const due = wakeTime(state);
  if (state.disk.low === null || disk === undefined) return due;
  return Math.min(due ?? Infinity, clock.now() + lookAgainAfter);
}

interface Round {
  readonly isStopping: boolean;
  readonly isGraceOver: boolean;
  readonly steps: Set<string>;
  /** To run once the round is committed. */
  readonly effects: (() => void)[];
}

function decideAll(
  state: RunState,
  deps: LoopDeps,
  record: (event: NewEvent) => RunEvent,
  { isStopping, isGraceOver, steps, effects }: Round,
): void {
  const isTaken = (decision: Decision): decision is Decision => {
    if (isStopping && !isTakenWhileStopping(decision, isGraceOver)) return false;
    // A run does not end while a step is under way.
    if (isEnd(decision) && steps.size > 0) return false;
    return decision.kind !== 'step' || !steps.has(decision.step.key);
  };
  const left = decideUntilQuiet(state, isTaken, (decision) => {
    switch (decision.kind) {
      case 'delegate': {
        const activity = registerDelegation(decision.task, state, deps, record);
        effects.push(() => deps.engine.start(activity));
        break;
      }
      case 'step':
        steps.add(decision.step.key);
        effects.push(() => deps.engine.step(decision.step));
        break;
      case 'record':
      case 'open-checkpoint':
        record(decision.event);
        break;
      default:
        decision satisfies never;
    }
  });
  if (left.some(isEnd)) effects.push(() => deps.engine.cancel('gently'));
}

/** The event that ends or pauses the run when nothing is active; undefined while it can still continue. */
function restOf(state: RunState, stop: StopKind | null, atCheckpoint: 'wait' | 'pause'): NewEvent | undefined {
  if (state.active.size > 0) return undefined;
  if (stop === 'cancel') return { kind: 'run.ended', status: 'cancelled' };
  if (stop !== null) return { kind: 'run.paused', reason: 'stopped', for: 'stop' };
  const [open, ...more] = openCheckpoints(state);
  const isStopping = stoppingTrouble(state) !== undefined;
  const isHeld = state.quota !== null || (state.disk.low !== null && openOf(state, 'disk').length === 0);
  if (!isStopping && isHeld && state.index.startable.size > 0) return undefined;
  if (open === undefined) throw new Error(`${state.created.run} has nothing left to wait for`);
  if (atCheckpoint === 'wait' && !isStopping) return undefined;
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  return { kind: 'run.paused', reason: `checkpoint: ${whyOf(state, open)}${others}`, for: 'answer' };
}
