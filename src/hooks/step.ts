/** Dispatches one step of a conducting conversation to its handler, loading only that one. */
import { type HookAnswer, nothing } from './answer.ts';
import { type HookInput, isNotification } from './hook-input.ts';
import type { HookRun } from './hook-run.ts';

export async function step(input: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  switch (input.event) {
    case 'PreToolUse':
      return (await import('./events/pre-tool-use.ts')).preToolUse(input, hookRun);
    case 'PostToolUse':
      return (await import('./events/post-tool-use.ts')).postToolUse(input, hookRun);
    case 'SubagentStop':
      return (await import('./events/subagent-stop.ts')).subagentStop(input, hookRun);
    case 'UserPromptSubmit':
      // A person's own prompt passes unchanged.
      return isNotification(input) ? (await import('./events/user-prompt.ts')).userPrompt(input, hookRun) : nothing;
    case 'Wake':
      return isNotification(input) ? (await import('./events/wake.ts')).wake(input, hookRun) : nothing;
    case 'Stop':
      return (await import('./events/stop.ts')).conversationStop(input, hookRun);
    case 'SessionStart':
    case 'PreCompact':
      return (await import('./events/session.ts')).session(input, hookRun);
    case 'SessionEnd':
      await (await import('./conductor-presence.ts')).recordClosing(hookRun);
      return nothing;
    default:
      return nothing;
  }
}
