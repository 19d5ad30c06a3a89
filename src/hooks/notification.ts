/** Notification: the client's message to the conversation that a background agent has ended, with the agent's whole last message. */
import { type Member, memberByAgent } from '../conversation/member.ts';
import type { RunState } from '../core/state/state.ts';
import { isOneLine } from './one-line.ts';

interface Notification {
  /** Its id. */
  readonly agent: string;
  readonly isCompleted: boolean;
  readonly result: string;
}

export function readNotification(prompt: string): Notification {
  const isCompleted = elementOf(prompt, 'status') === 'completed';
  return { agent: elementOf(prompt, 'task-id'), isCompleted, result: elementOf(prompt, 'result') };
}

/**
 * The member whose recorded return is all that the conversation needs of this notification, because the agent kept writing more than
 * the one line it was asked for. Undefined for a notification that may pass.
 */
export function tooLongFor(state: RunState, { agent, result }: Notification): Member | undefined {
  const member = isOneLine(result) ? undefined : memberByAgent(state, agent);
  return member?.active === undefined ? member : undefined;
}

function elementOf(text: string, name: string): string {
  const from = text.indexOf(`<${name}>`);
  // An agent's text may quote any element: only `result` extends to the last closing tag.
  const to = name === 'result' ? text.lastIndexOf(`</${name}>`) : text.indexOf(`</${name}>`, from);
  return from === -1 || to < from ? '' : text.slice(from + name.length + 2, to);
}
