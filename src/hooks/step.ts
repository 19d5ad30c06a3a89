/** Dispatches one step of a conducting conversation to its handler, loading only that one. */
import { type HookAnswer, nothing } from './answer.ts';
import { type HookInput, isOfClient } from './hook-input.ts';
import type { Where } from './where.ts';

export async function step(input: HookInput, where: Where): Promise<HookAnswer> {
  switch (input.event) {
    case 'PreToolUse':
      return (await import('./events/pre-tool-use.ts')).preToolUse(input, where);
    case 'PostToolUse':
      return (await import('./events/post-tool-use.ts')).postToolUse(input, where);
    case 'SubagentStop':
      return (await import('./events/subagent-stop.ts')).subagentStop(input, where);
    case 'UserPromptSubmit':
      // A person's own prompt passes unchanged.
      return isOfClient(input) ? (await import('./events/user-prompt.ts')).userPrompt(input, where) : nothing;
    case 'Stop':
      return (await import('./events/stop.ts')).stop(input, where);
    case 'SessionStart':
    case 'PreCompact':
      return (await import('./events/session.ts')).session(input, where);
    default:
      return nothing;
  }
}
