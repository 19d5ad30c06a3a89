/**
 * The conversation has come to rest. Whoever of its agents is at work now works in the background, and the client names them: all
 * others are gone, be it that the client refused them, that a person interrupted them, or that they were stopped.
 */
import type { Conduct } from '../../conversation/conduct.ts';
import { inRun } from '../../conversation/in-run.ts';
import { type Member, memberOf } from '../../conversation/member.ts';
import { type HookAnswer, nothing } from '../answer.ts';
import type { HookInput } from '../hook-input.ts';
import { look } from '../look.ts';
import type { Where } from '../where.ts';

/** Milliseconds: one that is being started in this moment may not be named yet. */
const beginning = 10_000;

export async function stop({ inBackground }: HookInput, where: Where): Promise<HookAnswer> {
  const isGone = ({ task, active }: Member): boolean => {
    if (active === undefined || active.registered.at + beginning > Date.now()) return false;
    const conversation = task.attempt?.conversation ?? null;
    return conversation === null || !inBackground.includes(conversation.id);
  };
  const goneOf = ({ state }: Pick<ReturnType<typeof look>, 'state'>): Member[] =>
    [...state.active.keys()].flatMap((id) => memberOf(state, id) ?? []).filter(isGone);
  const seen = look(where);
  if (goneOf(seen).length === 0) return nothing;
  const { conducting } = await import('../conducting.ts');
  const take = async (conduct: Conduct): Promise<HookAnswer> => {
    const { takeAllLost } = await import('../../conversation/take-return.ts');
    await takeAllLost(conduct, inRun(conduct, goneOf));
    return nothing;
  };
  return conducting(where, take, seen);
}
