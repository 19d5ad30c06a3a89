/**
 * The loop: decides through the core, acts through the engine, and lets nothing happen that is not in the ledger.
 *
 * One round: what has happened becomes events, the core decides until it has nothing more to say, all of it is committed
 * together, and only then do delegations start and views change. Events are applied in memory before they are committed,
 * because deciding needs them; a commit that fails ends the loop, and that memory with it. `race` is the only await.
 */
import type { DelegationId } from '../contracts/ids.ts';
import { apply } from '../core/apply.ts';
import { type Command, decide } from '../core/decide.ts';
import { type EventOf, type NewEvent, type RunEvent, stamp } from '../core/event.ts';
import type { RunState } from '../core/state.ts';
import { checkDelegation } from '../delegation/check-delegation.ts';
import { runPath } from '../delegation/path.ts';
import type { Activity, Engine, Happening, StopKind } from '../engine/engine.ts';

export interface Clock {
  now(): number;
  /** Calls back once, after so many milliseconds; the answer takes it back. */
  after(milliseconds: number, callback: () => void): () => void;
}

export interface LoopDeps {
  readonly engine: Engine;
  /** What happened before the loop began: a stop that came during the start must not come too late. */
  readonly before?: readonly Happening[];
  readonly clock: Clock;
  readonly newDelegation: () => DelegationId;
  /** Durable when it returns. `consumed` are rows of the inbox that these events are made of. */
  readonly append: (events: readonly RunEvent[], consumed: readonly number[]) => void;
  /** After each commit: what people see follows from here. Not awaited. */
  readonly committed: (events: readonly RunEvent[], state: RunState) => void;
  /** Milliseconds that running delegations get when the run is to pause. */
  readonly grace: number;
  /** Whether an open checkpoint is waited for, or the run paused once nothing else can be done. */
  readonly atCheckpoint: 'wait' | 'pause';
}

/** While the run is stopping: what has ended is accounted for, nothing begins. */
function beginsSomething(command: Command): boolean {
  return command.kind !== 'record' || command.event.kind === 'wave.started';
}

/** Runs until the run has ended or is paused; the state then says which. */
export async function runLoop(state: RunState, deps: LoopDeps): Promise<RunState> {
  const { engine, clock } = deps;
  let stop: StopKind | null = null;
  let endGrace: (() => void) | undefined;
  let happenings = deps.before ?? [];

  function stopping(how: StopKind): void {
    if (how === 'pause') {
      if (stop !== null) return;
      stop = how;
      endGrace = clock.after(deps.grace, () => engine.cancel('gently'));
      return;
    }
    if (stop !== 'cancel') stop = how;
    endGrace?.();
    engine.cancel('at-once');
  }

  for (const { id, why, status } of state.checkpoints) if (status === 'open') engine.ask({ key: id, why });
  try {
    for (;;) {
      const events: RunEvent[] = [];
      const record = (event: NewEvent): RunEvent => {
        const whole = stamp(event, clock.now());
        apply(state, whole);
        events.push(whole);
        return whole;
      };
      const consumed: number[] = [];
      for (const happening of happenings) {
        if ('row' in happening && happening.row !== undefined) consumed.push(happening.row);
        if (happening.kind === 'stop') stopping(happening.how);
        else take(state, happening, record);
      }
      const effects = decideAll(state, deps, record, stop);
      if (state.status === 'running') {
        const rest = restOf(state, stop, deps.atCheckpoint);
        if (rest !== undefined) record(rest);
      }
      if (events.length > 0 || consumed.length > 0) deps.append(events, consumed);
      deps.committed(events, state);
      if (state.status !== 'running') return state;
      for (const effect of effects) effect();
      happenings = await engine.race();
    }
  } finally {
    endGrace?.();
  }
}

/** What the engine delivers twice, or after its delegation has ended, is dropped. */
function take(state: RunState, happening: Happening, record: (event: NewEvent) => void): void {
  switch (happening.kind) {
    case 'ended': {
      const active = state.active.get(happening.key as DelegationId);
      if (active === undefined) return;
      const { delegation, task } = active.registered;
      record({ kind: 'delegation.ended', delegation, task, end: happening.end, outcome: happening.outcome });
      return;
    }
    case 'noted':
      if (state.active.has(happening.note.delegation)) record(happening.note);
      return;
    case 'answered': {
      const { key: checkpoint, approved, note } = happening;
      if (!state.checkpoints.some(({ id, status }) => id === checkpoint && status === 'open')) return;
      record({ kind: 'checkpoint.answered', checkpoint, approved, ...(note === undefined ? {} : { note }) });
      return;
    }
    case 'stop':
      return;
    default:
      happening satisfies never;
  }
}

/** Asks the core until it has nothing more to say; answers what is to be done once all of it is committed. */
function decideAll(
  state: RunState,
  deps: LoopDeps,
  record: (event: NewEvent) => RunEvent,
  stop: StopKind | null,
): (() => void)[] {
  const effects: (() => void)[] = [];
  for (;;) {
    const commands = decide(state).filter((command) => stop === null || !beginsSomething(command));
    if (commands.length === 0) return effects;
    for (const command of commands) perform(command, state, deps, record, effects);
  }
}

function perform(
  command: Command,
  state: RunState,
  { engine, clock, newDelegation }: LoopDeps,
  record: (event: NewEvent) => RunEvent,
  effects: (() => void)[],
): void {
  switch (command.kind) {
    case 'record':
      record(command.event);
      return;
    case 'open-checkpoint': {
      const { id, afterWave, why } = command.checkpoint;
      record({ kind: 'checkpoint.opened', checkpoint: id, afterWave, why });
      effects.push(() => engine.ask({ key: id, why }));
      return;
    }
    case 'delegate': {
      const { task, wave, attempt } = command;
      const path = runPath(task.agent);
      const safe = checkDelegation(path, state.created.settings.deadlines);
      const registered = record({
        kind: 'delegation.registered',
        delegation: newDelegation(),
        task: task.id,
        attempt,
        agent: task.agent,
        tier: task.tier,
        class: safe.class,
        path,
        deadline: clock.now() + safe.seconds * 1000,
      }) as EventOf<'delegation.registered'>;
      const activity: Activity = { key: registered.delegation, wave, task, registered };
      effects.push(() => engine.start(activity));
      return;
    }
    default:
      command satisfies never;
  }
}

/** How the run comes to rest when nothing is active any more; nothing while something still is. */
function restOf(state: RunState, stop: StopKind | null, atCheckpoint: 'wait' | 'pause'): NewEvent | undefined {
  if (state.active.size > 0) return undefined;
  if (stop === 'cancel') return { kind: 'run.ended', status: 'cancelled' };
  if (stop !== null) return { kind: 'run.paused', reason: 'stopped' };
  const open = state.checkpoints.find(({ status }) => status === 'open');
  if (open === undefined) throw new Error(`${state.created.run} has nothing to wait for`);
  if (atCheckpoint === 'wait') return undefined;
  return { kind: 'run.paused', reason: `checkpoint after wave ${open.afterWave}: ${open.why}` };
}
