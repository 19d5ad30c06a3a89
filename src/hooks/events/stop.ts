/** Stop: the conversation is idle. Agents that the client does not list as running in the background are recorded as lost. */
import type { Conduct } from '../../conversation/conduct.ts';
import { inRun } from '../../conversation/in-run.ts';
import { type Member, memberOf } from '../../conversation/member.ts';
import { type HookAnswer, nothing } from '../answer.ts';
import type { HookInput } from '../hook-input.ts';
import { runSnapshot } from '../run-snapshot.ts';
import type { HookRun } from '../hook-run.ts';

/** Milliseconds in which the client may not list a starting agent yet. */
const beginning = 10_000;

export async function conversationStop({ inBackground }: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  const isGone = ({ task, active }: Member): boolean => {
    if (active === undefined || active.registered.at + beginning > Date.now()) return false;
    const conversation = task.attempt?.conversation ?? null;
    return conversation === null || !inBackground.includes(conversation.id);
  };
  const goneOf = ({ state }: Pick<ReturnType<typeof runSnapshot>, 'state'>): Member[] =>
    [...state.active.keys()].flatMap((id) => memberOf(state, id) ?? []).filter(isGone);
  const seen = runSnapshot(hookRun);
  if (goneOf(seen).length === 0) return nothing;
  const { withConduct } = await import('../with-conduct.ts');
  const take = async (conduct: Conduct): Promise<HookAnswer> => {
    const { endLostDelegations } = await import('../../conversation/take-return.ts');
    await endLostDelegations(conduct, inRun(conduct, goneOf));
    return nothing;
  };
  return withConduct(hookRun, take, seen);
}
