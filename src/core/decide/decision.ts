/** Decision: an action the core asks for. Most only record an event; the others also have an outside effect. */
import type { CheckpointOpened } from '../event/checkpoint.ts';
import type { NewEvent } from '../event/event.ts';
import { nextCheckpoint, type RunState } from '../state/state.ts';
import type { Step } from './steps.ts';
import type { TaskState } from '../state/task-state.ts';

export type Decision =
  | { readonly kind: 'record'; readonly event: NewEvent }
  | { readonly kind: 'open-checkpoint'; readonly event: Extract<NewEvent, { kind: 'checkpoint.opened' }> }
  | { readonly kind: 'delegate'; readonly task: TaskState }
  /** Repeated until done: the caller knows which steps are in progress. */
  | { readonly kind: 'step'; readonly step: Step };

export function record(event: NewEvent): Decision {
  return { kind: 'record', event };
}

type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;
type CheckpointRequest = Without<CheckpointOpened, 'checkpoint'>;

/** Opens a checkpoint that is not in the plan. */
export function requestCheckpoint(state: RunState, request: CheckpointRequest): Decision {
  return { kind: 'open-checkpoint', event: { kind: 'checkpoint.opened', ...nextCheckpoint(state), ...request } };
}
