/** An agent wants to stop: its return is taken, and what reaches the conversation is one line. */
import { inRun } from '../../conversation/in-run.ts';
import { memberOf } from '../../conversation/member.ts';
import { doneText } from '../../views/brief/here-text.ts';
import { type HookAnswer, nothing } from '../answer.ts';
import { conducting } from '../conducting.ts';
import { findMember } from '../find-member.ts';
import type { HookInput } from '../hook-input.ts';
import { look } from '../look.ts';
import type { Where } from '../where.ts';

/** What an agent may say at its end without being asked for less. */
const shortEnough = 200;

export async function subagentStop(input: HookInput, where: Where): Promise<HookAnswer> {
  const member = await findMember(look(where), input);
  if (member === undefined) return nothing;
  const { lastMessage } = input;
  return conducting(where, async (conduct) => {
    if (member.active !== undefined) {
      const { takeReturn } = await import('../../conversation/take-return.ts');
      const again = await takeReturn(conduct, member, { text: lastMessage, canAsk: true });
      if (again !== undefined) return { kind: 'go-on', message: again };
    } else if (input.isAskedAgain) return nothing;
    // What the conversation waits for is replaced when it arrives; the rest arrives as the agent says it.
    const isShort = lastMessage.length <= shortEnough && !lastMessage.trim().includes('\n');
    if (isShort || !input.inBackground.includes(input.agent)) return nothing;
    const line = inRun(conduct, ({ state }) => doneText(memberOf(state, member.delegation)?.task ?? member.task));
    return { kind: 'go-on', message: `It is on record. Answer with exactly this line and nothing else: ${line}` };
  });
}
