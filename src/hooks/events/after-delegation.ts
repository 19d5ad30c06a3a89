/** Returns the run after a delegation has ended. Usually SubagentStop has recorded everything already. */
import { readyNow } from '../../conversation/conduct.ts';
import type { Member } from '../../conversation/member.ts';
import type { AgentMessage } from '../../conversation/take-return.ts';
import type { DelegationResult } from '../record-missed-return.ts';
import { agentsOf } from '../../workspace/agents-of.ts';
import { type RunSnapshot, advanceReadOnly } from '../run-snapshot.ts';

/** `said` is the output of an agent whose SubagentStop was missed; `lost` without any. */
export async function afterDelegation(
  seen: RunSnapshot,
  member: Member,
  said: AgentMessage | 'lost',
): Promise<DelegationResult> {
  const { hookRun, state } = seen;
  const now = member.active === undefined ? advanceReadOnly(seen) : undefined;
  if (now === undefined) return (await import('../record-missed-return.ts')).recordMissedReturn(seen, member, said);
  return { state, task: member.task, ready: readyNow(now, { agents: await agentsOf(hookRun.project) }) };
}
