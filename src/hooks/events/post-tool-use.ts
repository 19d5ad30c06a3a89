/** PostToolUse: records edits of agents, and replaces the output of delegations. */
import { editing } from '../../conversation/permit.ts';
import { type HookAnswer, nothing } from '../answer.ts';
import type { HookInput } from '../hook-input.ts';
import type { Where } from '../where.ts';

export async function postToolUse(input: HookInput, where: Where): Promise<HookAnswer> {
  const isOfAgent = input.agent !== '';
  if (editing.has(input.tool)) {
    return isOfAgent ? (await import('../agent-edited.ts')).agentEdited(input, where) : nothing;
  }
  return isOfAgent ? nothing : (await import('./delegation-over.ts')).delegationOver(input, where);
}
