/** Limits calls from agent to agent: checks depth and cycles of the delegation path. */
import { pathRefusal, runPath } from '../delegation/path.ts';
import { textOrEmpty } from '../base/json-value.ts';
import { ancestry } from './agent-files.ts';
import { deny, type HookAnswer, nothing } from './answer.ts';
import type { HookInput } from './hook-input.ts';

export function checkAgentCall({ transcript, agent, toolInput }: HookInput): HookAnswer {
  const callers = ancestry(transcript, agent).map(({ type }) => type || 'agent');
  const [first, ...others] = [...callers.toReversed(), textOrEmpty(toolInput['subagent_type']) || 'general-purpose'];
  const why = pathRefusal([...runPath(first), ...others]);
  return why === undefined ? nothing : deny(`Not delegated: ${why}.`);
}
