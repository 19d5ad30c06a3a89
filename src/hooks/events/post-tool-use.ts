/** PostToolUse: records edits of agents, and replaces the output of delegations. */
import { editingTools } from '../../conversation/permit.ts';
import { type HookAnswer, nothing } from '../answer.ts';
import type { HookInput } from '../hook-input.ts';
import type { HookRun } from '../hook-run.ts';

export async function postToolUse(input: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  const isOfAgent = input.agent !== '';
  if (editingTools.has(input.tool)) {
    return isOfAgent ? (await import('../record-agent-edit.ts')).recordAgentEdit(input, hookRun) : nothing;
  }
  return isOfAgent ? nothing : (await import('./delegation-over.ts')).delegationOver(input, hookRun);
}
