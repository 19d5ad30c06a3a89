/** The core decides as it does everywhere; what it only wants recorded is recorded, and what is left is for the conversation. */
import type { NewEvent } from '../core/event.ts';
import { decide } from '../core/decide.ts';
import type { RunState } from '../core/state.ts';
import type { VerifyStep } from '../core/steps.ts';
import type { TaskState } from '../core/task-state.ts';

export interface Advanced {
  /** What may be delegated now. */
  readonly ready: readonly TaskState[];
  /** What an agent has returned and nobody has verified. */
  readonly toVerify: readonly VerifyStep[];
}

export function advance(state: RunState, record: (event: NewEvent) => void): Advanced {
  for (;;) {
    const commands = decide(state);
    const facts = commands.flatMap((one) =>
      one.kind === 'record' || one.kind === 'open-checkpoint' ? [one.event] : [],
    );
    if (facts.length === 0) {
      return {
        ready: commands.flatMap((one) => (one.kind === 'delegate' ? [one.task] : [])),
        toVerify: commands.flatMap((one) => (one.kind === 'step' && one.step.purpose === 'verify' ? [one.step] : [])),
      };
    }
    for (const event of facts) record(event);
  }
}
