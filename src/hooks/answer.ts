/** HookAnswer: the reply of a hook to the client. `nothing` lets the client continue. */
import { write } from './streams.ts';

export type HookAnswer =
  | { readonly kind: 'nothing' }
  /** On standard output, as it is. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly json: object }
  /** The agent that wanted to stop continues with this message. */
  | { readonly kind: 'go-on'; readonly message: string };

export const nothing: HookAnswer = { kind: 'nothing' };

export function deny(reason: string): HookAnswer {
  const permissionDecisionReason = reason;
  return specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason });
}

export function specific(hookEventName: string, more: object, message?: string): HookAnswer {
  const shown = message === undefined ? {} : { systemMessage: message };
  return { kind: 'json', json: { hookSpecificOutput: { hookEventName, ...more }, ...shown } };
}

/** Shown to the person only. */
export function shown(systemMessage: string): HookAnswer {
  return { kind: 'json', json: { systemMessage } };
}

export function say(answer: HookAnswer): void {
  switch (answer.kind) {
    case 'nothing':
      return;
    case 'text':
      write(1, `${answer.text}\n`);
      return;
    case 'json':
      write(1, `${JSON.stringify(answer.json)}\n`);
      return;
    case 'go-on':
      write(2, `${answer.message}\n`);
      process.exitCode = 2;
      return;
    default:
      answer satisfies never;
  }
}
