/** One line: the last message of a background agent that may reach the conversation unchanged; agents are asked for it. */
import { agentTranscript } from './agent-files.ts';
import { type HookAnswer, nothing } from './answer.ts';
import type { HookInput } from './hook-input.ts';

/** Characters. */
const shortEnough = 200;

/** The client overrides a hook that keeps an agent from stopping more often in a row. */
const mostTimes = 8;

export const isOneLine = (text: string): boolean => text.length <= shortEnough && !text.trim().includes('\n');

const request = 'Recorded. Answer with exactly this line and nothing else: ';

/** PostToolUse replaces the message of an agent that the conversation waits for; one from the background arrives unchanged. */
export function askForLine(input: HookInput, line: () => string): HookAnswer {
  const { lastMessage, inBackground, agent } = input;
  if (isOneLine(lastMessage) || !inBackground.includes(agent)) return nothing;
  // Asked for the first time, it has no request in its transcript.
  const asked = input.isAskedAgain ? agentTranscript(input.transcript, agent).split(request).length - 1 : 0;
  return asked < mostTimes ? { kind: 'continue', message: request + line() } : nothing;
}
