/**
 * The loop: decides through the core, acts through the engine, and lets nothing happen that is not in the ledger.
 *
 * One round: what has happened becomes events, the core decides until it has nothing more to say, all of it is committed
 * together, and only then do delegations start and views change. Events are applied in memory before they are committed,
 * because deciding needs them; a commit that fails ends the loop, and that memory with it. `race` is the only await.
 */
import type { DelegationId } from '../base/ids.ts';
import { apply } from '../core/apply/apply.ts';
import type { Decision } from '../core/decide/decision.ts';
import { decide } from '../core/decide/decide.ts';
import { type EventKind, type NewEvent, type RunEvent, stamp } from '../core/event/event.ts';
import { wakeTime } from '../core/state/hold.ts';
import { openCheckpoints, type RunState } from '../core/state/state.ts';
import type { Clock } from '../engine/clock.ts';
import type { Engine, Happening, StopKind } from '../engine/engine.ts';
import { registerDelegation } from '../core/attempt/register-delegation.ts';
import { takeHappening } from './take-happening.ts';

export interface LoopDeps {
  readonly engine: Engine;
  /** What happened before the loop began: a stop that came during the start must not come too late. */
  readonly before?: readonly Happening[];
  readonly clock: Clock;
  readonly newDelegation: () => DelegationId;
  /** See `register-delegation.ts`. */
  readonly keyOf?: (task: string) => string | undefined;
  /** Durable when it returns. `consumed` are rows of the inbox that these events are made of. */
  readonly append: (events: readonly RunEvent[], consumed: readonly number[]) => void;
  /** After each commit: what people see follows from here. Not awaited. */
  readonly committed: (events: readonly RunEvent[], state: RunState) => void;
  /** Milliseconds that running delegations get when the run is to pause. */
  readonly grace: number;
  /** Whether an open checkpoint is waited for, or the run paused once nothing else can be done. */
  readonly atCheckpoint: 'wait' | 'pause';
}

const beginnings = new Set<EventKind>(['wave.started', 'task.added', 'step.added']);

/**
 * While the run is stopping, nothing begins. What has ended is accounted for, and as long as running delegations have their
 * moment, what they have done goes on its way too.
 */
function isStillDone(command: Decision, isMomentOver: boolean): boolean {
  if (command.kind === 'step') return !isMomentOver;
  if (command.kind !== 'record' || beginnings.has(command.event.kind)) return false;
  return command.event.kind !== 'merge.started' || !isMomentOver;
}

const isEnd = (command: Decision): boolean => command.kind === 'record' && command.event.kind === 'run.ended';

/** Runs until the run has ended or is paused; the state then says which. */
export async function runLoop(state: RunState, deps: LoopDeps): Promise<RunState> {
  const { engine, clock } = deps;
  let stop: StopKind | null = null;
  let endGrace: (() => void) | undefined;
  let isMomentOver = false;
  let happenings = deps.before ?? [];
  /** Steps that are under way: the core asks for them until they are done. */
  const steps = new Set<string>();

  function stopping(how: StopKind): void {
    if (how === 'pause') {
      if (stop !== null) return;
      stop = how;
      endGrace = clock.after(deps.grace, () => {
        isMomentOver = true;
        engine.cancel('gently');
      });
      return;
    }
    if (stop !== 'cancel') stop = how;
    isMomentOver = true;
    endGrace?.();
    engine.cancel('at-once');
  }

  for (const { id, why } of openCheckpoints(state)) engine.ask({ key: id, why });
  try {
    for (;;) {
      const events: RunEvent[] = [];
      const effects: (() => void)[] = [];
      const record = (event: NewEvent): RunEvent => {
        const whole = stamp(event, clock.now());
        apply(state, whole);
        events.push(whole);
        if (whole.kind === 'checkpoint.opened')
          effects.push(() => engine.ask({ key: whole.checkpoint, why: whole.why }));
        return whole;
      };
      const consumed: number[] = [];
      for (const happening of happenings) {
        if ('row' in happening && happening.row !== undefined) consumed.push(happening.row);
        // What is told of a step that is not under way has been told before.
        if ((happening.kind === 'stepped' || happening.kind === 'interrupted') && !steps.delete(happening.key))
          continue;
        if (happening.kind === 'stop') stopping(happening.how);
        else takeHappening(state, happening, record);
      }
      decideAll(state, deps, record, { isStopping: stop !== null, isMomentOver, steps, effects });
      if (state.status === 'running' && steps.size === 0) {
        const rest = restOf(state, stop, deps.atCheckpoint);
        if (rest !== undefined) record(rest);
      }
      if (events.length > 0 || consumed.length > 0) deps.append(events, consumed);
      deps.committed(events, state);
      if (state.status !== 'running') return state;
      for (const effect of effects) effect();
      engine.wakeAt(stop === null ? wakeTime(state) : undefined);
      happenings = await engine.race();
    }
  } finally {
    endGrace?.();
    engine.wakeAt(undefined);
  }
}

interface Round {
  readonly isStopping: boolean;
  readonly isMomentOver: boolean;
  readonly steps: Set<string>;
  readonly effects: (() => void)[];
}

/** Asks the core until it has nothing more to say; `effects` is what is to be done once all of it is committed. */
function decideAll(
  state: RunState,
  deps: LoopDeps,
  record: (event: NewEvent) => RunEvent,
  { isStopping, isMomentOver, steps, effects }: Round,
): void {
  const isWanted = (command: Decision): boolean => {
    if (isStopping && !isStillDone(command, isMomentOver)) return false;
    // Nothing is left under way by a run that has ended.
    if (isEnd(command) && steps.size > 0) return false;
    return command.kind !== 'step' || !steps.has(command.step.key);
  };
  for (;;) {
    const all = decide(state);
    const commands = all.filter(isWanted);
    if (commands.length === 0) {
      if (all.some(isEnd)) effects.push(() => deps.engine.cancel('gently'));
      return;
    }
    for (const command of commands) {
      switch (command.kind) {
        case 'delegate': {
          const activity = registerDelegation(command.task, state, deps, record);
          effects.push(() => deps.engine.start(activity));
          break;
        }
        case 'step':
          steps.add(command.step.key);
          effects.push(() => deps.engine.step(command.step));
          break;
        case 'record':
        case 'open-checkpoint':
          record(command.event);
          break;
        default:
          command satisfies never;
      }
    }
  }
}

/** How the run comes to rest when nothing is active any more; nothing while something still is, or time will tell. */
function restOf(state: RunState, stop: StopKind | null, atCheckpoint: 'wait' | 'pause'): NewEvent | undefined {
  if (state.active.size > 0) return undefined;
  if (stop === 'cancel') return { kind: 'run.ended', status: 'cancelled' };
  if (stop !== null) return { kind: 'run.paused', reason: 'stopped', for: 'stop' };
  const [open, ...more] = openCheckpoints(state);
  if (state.quota !== null && state.startable.size > 0) return undefined;
  if (open === undefined) throw new Error(`${state.created.run} has nothing to wait for`);
  if (atCheckpoint === 'wait') return undefined;
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  return { kind: 'run.paused', reason: `checkpoint: ${open.why}${others}`, for: 'answer' };
}
