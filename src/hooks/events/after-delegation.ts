/** Where the run is once a delegation is over. Mostly its own stop has brought it there, and nothing is to be done. */
import { readyNow } from '../../conversation/conduct.ts';
import type { Member } from '../../conversation/member.ts';
import type { Said } from '../../conversation/take-return.ts';
import type { After } from '../take-missed.ts';
import { agentsOf } from '../../workspace/agents-of.ts';
import { type Look, quietly } from '../look.ts';

/** `said` is what is left of an agent whose stop was missed; `lost` where it never came to one. */
export async function afterDelegation(seen: Look, member: Member, said: Said | 'lost'): Promise<After> {
  const { where, state } = seen;
  const now = member.active === undefined ? quietly(seen) : undefined;
  if (now === undefined) return (await import('../take-missed.ts')).takeMissed(seen, member, said);
  return { state, task: member.task, ready: readyNow(now, { agents: await agentsOf(where.project) }) };
}
