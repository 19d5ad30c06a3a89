/** Advance: records every decision of the core that needs no agent, and returns the rest to the conversation. */
import type { Decision } from '../core/decide/decision.ts';
import type { NewEvent } from '../core/event/event.ts';
import { decide } from '../core/decide/decide.ts';
import { decideUntilQuiet } from '../core/decide/decide-until-quiet.ts';
import { wakeTime } from '../core/state/hold.ts';
import { outcomeFrom, timeoutFailure } from '../core/event/make-outcome.ts';
import type { RunState } from '../core/state/state.ts';
import type { VerifyStep } from '../core/decide/steps.ts';
import type { TaskState } from '../core/state/task-state.ts';

export interface RemainingWork {
  /** Tasks that may be delegated now. */
  readonly ready: readonly TaskState[];
  /** Returned work that is not verified yet. */
  readonly toVerify: readonly VerifyStep[];
}

/** The run waited for a time that has come. */
function isDue(state: RunState, now: number): boolean {
  const wake = wakeTime(state);
  return state.status === 'running' && ((wake !== undefined && wake <= now) || overdue(state, now).length > 0);
}

/** A hook cannot end a client's agent: past the deadline, the run stops waiting for it. */
function overdue({ active }: RunState, now: number): NewEvent[] {
  return active
    .values()
    .filter(({ deadline }) => deadline <= now)
    .map(({ deadline, registered: { delegation, task, at } }): NewEvent => {
      const failure = timeoutFailure(Math.round((deadline - at) / 1000));
      const outcome = outcomeFrom({ status: 'partial', failure });
      return { kind: 'delegation.ended', delegation, task, end: 'timed-out', outcome };
    })
    .toArray();
}

export function advance(state: RunState, now: number, record: (event: NewEvent) => void): RemainingWork {
  if (isDue(state, now)) {
    for (const event of overdue(state, now)) record(event);
    record({ kind: 'clock.reached', time: now });
  }
  return restOf(decideUntilQuiet(state, isRecorded, ({ event }) => record(event)));
}

/** For readers that cannot record: undefined where an event has to be recorded first. */
export function remainingWork(state: RunState, now: number): RemainingWork | undefined {
  if (isDue(state, now)) return undefined;
  const decisions = decide(state);
  return decisions.some(isRecorded) ? undefined : restOf(decisions);
}

type Recorded = Extract<Decision, { kind: 'record' | 'open-checkpoint' }>;

const isRecorded = (decision: Decision): decision is Recorded =>
  decision.kind === 'record' || decision.kind === 'open-checkpoint';

function restOf(decisions: readonly Decision[]): RemainingWork {
  return {
    ready: decisions.flatMap((one) => (one.kind === 'delegate' ? [one.task] : [])),
    toVerify: decisions.flatMap((one) => (one.kind === 'step' && one.step.purpose === 'verify' ? [one.step] : [])),
  };
}
