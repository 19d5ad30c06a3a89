/** What a person has changed in the plan and agreed to becomes part of the run, as far as it still can. */
import type { Amendment } from './amendment.ts';
import { possible } from './apply-amendments.ts';
import { type Command, fact } from './command.ts';
import type { RunState } from './state.ts';

export function acceptedEdits(state: RunState): readonly Command[] {
  if (state.accepted.length === 0) return [];
  const amendments = possible(state, state.accepted, () => undefined);
  return [fact({ kind: 'plan.amended', amendments: [...amendments] })];
}

/** Which task waits until a person has said whether it is to change. */
export function isHeldByEdit({ checkpoints }: RunState, task: string): boolean {
  return checkpoints.some(
    ({ status, amendments }) => status === 'open' && amendments?.some((one) => taskOf(one) === task) === true,
  );
}

function taskOf(amendment: Amendment): string | undefined {
  if (!('task' in amendment)) return undefined;
  return typeof amendment.task === 'string' ? amendment.task : amendment.task.id;
}
