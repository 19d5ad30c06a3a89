/** Finds the reason why a task waits. Every waiting task has exactly one. */
import { whyOf } from './checkpoint-why.ts';
import { signatureOfTask } from './failure-of.ts';
import { holdOf, isHeldByEdit } from './hold.ts';
import { isOpen, openOf, type RunState, waveAt } from './state.ts';
import type { TaskState } from './task-state.ts';

export type Waiting =
  | { readonly for: 'wave'; readonly wave: number }
  | { readonly for: 'dependency'; readonly tasks: readonly string[] }
  | { readonly for: 'scope-lock'; readonly task: string }
  | { readonly for: 'concurrency'; readonly most: number }
  | { readonly for: 'checkpoint'; readonly checkpoint: string; readonly why: string }
  | { readonly for: 'gate'; readonly gate: string }
  | { readonly for: 'quota'; readonly until: number; readonly guessed: boolean }
  | { readonly for: 'disk'; readonly free: number; readonly needs: number }
  | { readonly for: 'start'; readonly run: string };

/** Undefined for a task that does not wait: it is running, ended or skipped. */
export function waitingFor(state: RunState, task: TaskState): Waiting | undefined {
  const { progress } = task;
  if (progress.status === 'ended') return undecided(state, task, progress.asks);
  if (progress.status !== 'pending') return undefined;
  if (state.status === 'running') return reasonIn(state, task);
  const reason = state.status === 'paused' ? reasonIn(state, task) : undefined;
  // Resuming a paused run frees all slots and locks.
  const isFree = reason === undefined || reason.for === 'concurrency' || reason.for === 'scope-lock';
  return isFree ? { for: 'start', run: state.status } : reason;
}

function reasonIn(state: RunState, task: TaskState): Waiting {
  const wave = waveAt(state, task.wave);
  if (wave === undefined || !isOpen(wave)) {
    const [held] = openOf(state, 'planned');
    if (held !== undefined && task.wave === state.waveIndex + 1) {
      return { for: 'checkpoint', checkpoint: held.id, why: whyOf(state, held) };
    }
    return { for: 'wave', wave: task.wave };
  }
  const open = task.planned.after.flatMap((after) => {
    const other = 'task' in after ? state.tasks.get(after.task) : undefined;
    return other === undefined || other.progress.status === 'completed' ? [] : [other.planned.id];
  });
  if (open.length > 0) return { for: 'dependency', tasks: open };
  const hold = holdOf(state);
  if (hold?.for === 'quota' || hold?.for === 'disk') return hold;
  if (hold !== undefined) return { for: 'checkpoint', checkpoint: hold.checkpoint.id, why: hold.checkpoint.why };
  const [edit] = openOf(state, 'edit');
  if (edit !== undefined && isHeldByEdit(state, task.planned.id)) {
    return { for: 'checkpoint', checkpoint: edit.id, why: edit.why };
  }
  const behind = task.group?.behind;
  if (behind !== undefined && behind !== null) return { for: 'scope-lock', task: behind };
  return { for: 'concurrency', most: state.created.settings.concurrency };
}

/** The question about an ended task, or about others that failed with the same signature. */
function undecided(
  state: RunState,
  task: TaskState,
  asks: { checkpoint: string } | { gate: string } | undefined,
): Waiting | undefined {
  if (asks !== undefined) return asking(state, asks);
  const [found] = openOf(state, 'breaker');
  if (found === undefined || found.signature !== signatureOfTask(task)) return undefined;
  return { for: 'checkpoint', checkpoint: found.id, why: found.why };
}

function asking({ checkpoints }: RunState, asks: { checkpoint: string } | { gate: string }): Waiting {
  if ('gate' in asks) return { for: 'gate', gate: asks.gate };
  const why = checkpoints.find(({ id }) => id === asks.checkpoint)?.why ?? '';
  return { for: 'checkpoint', checkpoint: asks.checkpoint, why };
}
