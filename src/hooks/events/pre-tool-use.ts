/** PreToolUse: judges tool calls of the conductor and of its agents. Loads no more than most calls need. */
import { conductorRefusal, editing } from '../../conversation/permit.ts';
import { deny, type HookAnswer, nothing } from '../answer.ts';
import type { HookInput } from '../hook-input.ts';
import { pathIn } from '../path-in.ts';
import type { Where } from '../where.ts';

const isDelegation = (tool: string): boolean => tool === 'Agent' || tool === 'Task';

export async function preToolUse(input: HookInput, where: Where): Promise<HookAnswer> {
  const { agent, tool } = input;
  if (agent === '' && isDelegation(tool)) return (await import('./delegation.ts')).delegation(input, where);
  if (agent === '') return conductor(input, where);
  if (isDelegation(tool)) return (await import('../agent-calls.ts')).agentCalls(input, where);
  return editing.has(tool) ? (await import('../agent-edits.ts')).agentEdits(input, where) : nothing;
}

function conductor(input: HookInput, where: Where): HookAnswer {
  const why = conductorRefusal({ tool: input.tool, path: pathIn(input, where) }, where.planFile);
  return why === undefined ? nothing : deny(why);
}
