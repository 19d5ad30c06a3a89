/** One step of a conversation that conducts a run, by its kind. Each loads what it needs and no more. */
import type { RunId } from '../contracts/ids.ts';
import { type HookAnswer, nothing } from './answer.ts';
import type { HookInput } from './hook-input.ts';

export interface Where {
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly run: RunId;
  /** Relative to the project. */
  readonly planFile: string;
}

/** The client tells, as a prompt, that an agent in the background has ended. */
export const isOfClient = ({ prompt }: HookInput): boolean => prompt.startsWith('<task-notification>');

export async function step(input: HookInput, where: Where): Promise<HookAnswer> {
  switch (input.event) {
    case 'PreToolUse':
      return (await import('./pre-tool-use.ts')).preToolUse(input, where);
    case 'PostToolUse':
      return (await import('./post-tool-use.ts')).postToolUse(input, where);
    case 'SubagentStop':
      return (await import('./subagent-stop.ts')).subagentStop(input, where);
    case 'UserPromptSubmit':
      // A person's own prompt goes its way.
      return isOfClient(input) ? (await import('./user-prompt.ts')).userPrompt(input, where) : nothing;
    case 'Stop':
      return (await import('./stop.ts')).stop(input, where);
    case 'SessionStart':
    case 'PreCompact':
      return (await import('./session.ts')).session(input, where);
    default:
      return nothing;
  }
}
