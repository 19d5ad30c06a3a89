/** The core decides as it does everywhere; what it only wants recorded is recorded, and what is left is for the conversation. */
import type { Decision } from '../core/decide/decision.ts';
import type { NewEvent } from '../core/event/event.ts';
import { decide } from '../core/decide/decide.ts';
import { wakeTime } from '../core/state/hold.ts';
import type { Outcome } from '../core/event/outcome.ts';
import type { RunState } from '../core/state/state.ts';
import type { VerifyStep } from '../core/decide/steps.ts';
import type { TaskState } from '../core/state/task-state.ts';

export interface Advanced {
  /** What may be delegated now. */
  readonly ready: readonly TaskState[];
  /** What an agent has returned and nobody has verified. */
  readonly toVerify: readonly VerifyStep[];
}

/** A time has come that the run waited for. */
function isDue(state: RunState, now: number): boolean {
  const wake = wakeTime(state);
  return state.status === 'running' && ((wake !== undefined && wake <= now) || overdue(state, now).length > 0);
}

/** No hook can end an agent of the client; but nobody waits for it any longer than its time. */
function overdue({ active }: RunState, now: number): NewEvent[] {
  return active
    .values()
    .filter(({ deadline }) => deadline <= now)
    .map(({ registered: { delegation, task } }): NewEvent => {
      return { kind: 'delegation.ended', delegation, task, end: 'timed-out', outcome: timedOut };
    })
    .toArray();
}

const timedOut: Outcome = {
  status: 'partial',
  summary: '',
  files: [],
  repairs: 0,
  degraded: [],
  failure: { class: 'timeout', message: 'its time was up; what it left on disk is kept' },
};

export function advance(state: RunState, now: number, record: (event: NewEvent) => void): Advanced {
  if (isDue(state, now)) {
    for (const event of overdue(state, now)) record(event);
    record({ kind: 'clock.reached', time: now });
  }
  for (;;) {
    const commands = decide(state);
    const facts = factsOf(commands);
    if (facts.length === 0) return restOf(commands);
    for (const event of facts) record(event);
  }
}

/** The same for whoever only looks: undefined where something is to be recorded first. */
export function advanced(state: RunState, now: number): Advanced | undefined {
  if (isDue(state, now)) return undefined;
  const commands = decide(state);
  return factsOf(commands).length === 0 ? restOf(commands) : undefined;
}

function factsOf(commands: readonly Decision[]): NewEvent[] {
  return commands.flatMap((one) => (one.kind === 'record' || one.kind === 'open-checkpoint' ? [one.event] : []));
}

function restOf(commands: readonly Decision[]): Advanced {
  return {
    ready: commands.flatMap((one) => (one.kind === 'delegate' ? [one.task] : [])),
    toVerify: commands.flatMap((one) => (one.kind === 'step' && one.step.purpose === 'verify' ? [one.step] : [])),
  };
}
