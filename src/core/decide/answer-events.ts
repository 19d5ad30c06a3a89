/** Chooses the checkpoints an answer applies to, and turns the answer into events. */
import { divisiError } from '../../base/error.ts';
import type { NewEvent } from '../event/event.ts';
import { whyOf } from '../state/checkpoint-why.ts';
import { stopsRun } from '../state/hold.ts';
import { checkpointId, openCheckpoints, type CheckpointState, type RunState } from '../state/state.ts';

export interface CheckpointAnswer {
  readonly approved: boolean;
  readonly note?: string;
  /** Id or number. Optional if only one is open. */
  readonly checkpoint?: string;
  readonly all?: boolean;
}

/** Longest note in characters that reaches an agent. */
export const longestNote = 2000;

export function chooseCheckpoints(
  state: RunState,
  { checkpoint: named, all }: CheckpointAnswer,
): readonly CheckpointState[] {
  const open = openCheckpoints(state);
  const { run } = state.created;
  if (named !== undefined) {
    const checkpoint = /^\d{1,6}$/.test(named) ? checkpointId(Number(named)) : named;
    const found = state.checkpoints.find(({ id }) => id === checkpoint);
    if (found?.status === 'open') return [found];
    throw unknown(
      run,
      found === undefined ? `${run} has no ${checkpoint}` : `${checkpoint} is already ${found.status}`,
    );
  }
  if (open.length === 1 || (open.length > 1 && all === true)) return open;
  if (open.length === 0) throw unknown(run, `${run} has no open checkpoint; it is ${state.status}`);
  const list = open.map((one) => `${one.id}: ${whyOf(state, one)}`).join('\n');
  throw divisiError('CHECKPOINT_UNKNOWN', {
    message: `${run} has ${open.length} open checkpoints:\n${list}`,
    next: 'Name one with `--checkpoint ID`, or answer all of them with `--all`.',
    ids: { run },
  });
}

function unknown(run: string, message: string): Error {
  return divisiError('CHECKPOINT_UNKNOWN', {
    message,
    next: `\`divisi status ${run}\` shows what the run waits for.`,
    ids: { run },
  });
}

export function answerEvents(state: RunState, answer: CheckpointAnswer): NewEvent[] {
  const { approved, note } = answer;
  const chosen = chooseCheckpoints(state, answer);
  const more = note === undefined ? {} : { note };
  const events = chosen.map(({ id }): NewEvent => {
    return { kind: 'checkpoint.answered', checkpoint: id, approved, by: 'person', ...more };
  });
  if (!approved && chosen.some(stopsRun)) events.push({ kind: 'run.ended', status: 'cancelled' });
  return events;
}
