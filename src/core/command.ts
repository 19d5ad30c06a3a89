/** What the core wants done. Most of it are facts to be recorded; two have an effect outside as well. */
import type { EventOf, NewEvent } from './event.ts';
import { checkpointId, type RunState } from './state.ts';
import type { TaskState } from './task-state.ts';

export type Command =
  | { readonly kind: 'record'; readonly event: NewEvent }
  | { readonly kind: 'open-checkpoint'; readonly event: Extract<NewEvent, { kind: 'checkpoint.opened' }> }
  | { readonly kind: 'delegate'; readonly task: TaskState };

export function fact(event: NewEvent): Command {
  return { kind: 'record', event };
}

type Question = Omit<EventOf<'checkpoint.opened'>, 'kind' | 'version' | 'at' | 'checkpoint'>;

/** A checkpoint that the plan does not have. */
export function nextCheckpoint({ checkpoints }: RunState, question: Question): Command {
  const checkpoint = checkpointId(checkpoints.length + 1);
  return { kind: 'open-checkpoint', event: { kind: 'checkpoint.opened', checkpoint, ...question } };
}
