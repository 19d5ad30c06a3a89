/** Returns the run after a delegation has ended. Usually SubagentStop has recorded everything already. */
import { readyNow } from '../../conversation/conduct.ts';
import type { Member } from '../../conversation/member.ts';
import type { Said } from '../../conversation/take-return.ts';
import type { After } from '../take-missed.ts';
import { agentsOf } from '../../workspace/agents-of.ts';
import { type Look, quietly } from '../look.ts';

/** `said` is the output of an agent whose SubagentStop was missed; `lost` without any. */
export async function afterDelegation(seen: Look, member: Member, said: Said | 'lost'): Promise<After> {
  const { where, state } = seen;
  const now = member.active === undefined ? quietly(seen) : undefined;
  if (now === undefined) return (await import('../take-missed.ts')).takeMissed(seen, member, said);
  return { state, task: member.task, ready: readyNow(now, { agents: await agentsOf(where.project) }) };
}
