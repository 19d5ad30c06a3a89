/** HookAnswer: the reply of a hook to the client. `nothing` lets the client continue. */
import { write } from './streams.ts';

export type HookAnswer =
  | { readonly kind: 'nothing' }
  /** Printed to standard output unchanged. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly json: object }
  /** The agent that firstPrompt to stop continues with this message. */
  | { readonly kind: 'continue'; readonly message: string };

export const nothing: HookAnswer = { kind: 'nothing' };

export function deny(reason: string): HookAnswer {
  const permissionDecisionReason = reason;
  return hookOutput('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason });
}

export function hookOutput(hookEventName: string, more: object, message?: string): HookAnswer {
  const shown = message === undefined ? {} : { systemMessage: message };
  return { kind: 'json', json: { hookSpecificOutput: { hookEventName, ...more }, ...shown } };
}

/** The prompt does not reach the model; the person sees the reason instead. */
export function dropPrompt(hookEventName: string, reason: string): HookAnswer {
  const hookSpecificOutput = { hookEventName, suppressOriginalPrompt: true };
  return { kind: 'json', json: { decision: 'block', reason, hookSpecificOutput } };
}

/** Shown to the person only. */
export function messageToPerson(systemMessage: string): HookAnswer {
  return { kind: 'json', json: { systemMessage } };
}

export function sendAnswer(answer: HookAnswer): void {
  switch (answer.kind) {
    case 'nothing':
      return;
    case 'text':
      write(1, `${answer.text}\n`);
      return;
    case 'json':
      write(1, `${JSON.stringify(answer.json)}\n`);
      return;
    case 'continue':
      write(2, `${answer.message}\n`);
      process.exitCode = 2;
      return;
    default:
      answer satisfies never;
  }
}
