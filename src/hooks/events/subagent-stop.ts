/** SubagentStop: records the agent's return and reduces what reaches the conversation to one line. */
import type { Conduct } from '../../conversation/conduct.ts';
import { inRun } from '../../conversation/in-run.ts';
import { memberOf } from '../../conversation/member.ts';
import { doneText } from '../../views/brief/here-text.ts';
import { type HookAnswer, nothing } from '../answer.ts';
import { withConduct } from '../with-conduct.ts';
import { findMember } from '../find-member.ts';
import type { HookInput } from '../hook-input.ts';
import { runSnapshot } from '../run-snapshot.ts';
import type { HookRun } from '../hook-run.ts';

/** Longest last message, in characters, that may reach the conversation unchanged. */
const shortEnough = 200;

export async function subagentStop(input: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  const seen = runSnapshot(hookRun);
  const member = await findMember(seen, input);
  if (member === undefined) return nothing;
  const { lastMessage } = input;
  const take = async (conduct: Conduct): Promise<HookAnswer> => {
    if (member.active !== undefined) {
      const { takeReturn } = await import('../../conversation/take-return.ts');
      const again = await takeReturn(conduct, member, { text: lastMessage, canAsk: true });
      if (again !== undefined) return { kind: 'continue', message: again };
    } else if (input.isAskedAgain) return nothing;
    // PostToolUse replaces the message of an agent that the conversation waits for; one from the background arrives unchanged.
    const isShort = lastMessage.length <= shortEnough && !lastMessage.trim().includes('\n');
    if (isShort || !input.inBackground.includes(input.agent)) return nothing;
    const line = inRun(conduct, ({ state }) => doneText(memberOf(state, member.delegation)?.task ?? member.task));
    return { kind: 'continue', message: `Recorded. Answer with exactly this line and nothing else: ${line}` };
  };
  return withConduct(hookRun, take, seen);
}
