/** Decision: an action the core asks for. Most are events to record; the others also have an effect outside. */
import type { CheckpointOpened } from '../event/checkpoint.ts';
import type { NewEvent } from '../event/event.ts';
import { nextCheckpoint, type RunState } from '../state/state.ts';
import type { Step } from './steps.ts';
import type { TaskState } from '../state/task-state.ts';

export type Decision =
  | { readonly kind: 'record'; readonly event: NewEvent }
  | { readonly kind: 'open-checkpoint'; readonly event: Extract<NewEvent, { kind: 'checkpoint.opened' }> }
  | { readonly kind: 'delegate'; readonly task: TaskState }
  /** Said again until it is done: whoever acts knows what is under way. */
  | { readonly kind: 'step'; readonly step: Step };

export function record(event: NewEvent): Decision {
  return { kind: 'record', event };
}

type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;
type CheckpointRequest = Without<CheckpointOpened, 'checkpoint'>;

/** A person is asked something that the plan does not ask. */
export function openCheckpoint(state: RunState, request: CheckpointRequest): Decision {
  return { kind: 'open-checkpoint', event: { kind: 'checkpoint.opened', ...nextCheckpoint(state), ...request } };
}
