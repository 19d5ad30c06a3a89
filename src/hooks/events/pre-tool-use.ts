/** PreToolUse: judges tool calls of the conductor and of its agents. Loads no more than most calls need. */
import { conductorRefusal, editingTools } from '../../conversation/permit.ts';
import { deny, type HookAnswer, nothing } from '../answer.ts';
import type { HookInput } from '../hook-input.ts';
import { pathIn } from '../path-in.ts';
import type { HookRun } from '../hook-run.ts';

const isDelegation = (tool: string): boolean => tool === 'Agent' || tool === 'Task';

export async function preToolUse(input: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  const { agent, tool } = input;
  if (agent === '' && isDelegation(tool)) return (await import('./delegation.ts')).delegation(input, hookRun);
  if (agent === '') return conductor(input, hookRun);
  const { checkAgent } = await import('../check-agent.ts');
  return checkAgent(input, hookRun, async (found) => {
    if (isDelegation(tool)) return (await import('../check-agent-call.ts')).checkAgentCall(input);
    return editingTools.has(tool) ? (await import('../check-agent-edit.ts')).checkAgentEdit(input, found) : nothing;
  });
}

function conductor(input: HookInput, hookRun: HookRun): HookAnswer {
  const why = conductorRefusal({ tool: input.tool, path: pathIn(input, hookRun) }, hookRun.planFile);
  return why === undefined ? nothing : deny(why);
}
