/** SubagentStop: records the agent's return and reduces what reaches the conversation to one line. */
import type { Conduct } from '../../conversation/conduct.ts';
import { inRun } from '../../conversation/in-run.ts';
import { memberOf } from '../../conversation/member.ts';
import { doneText } from '../../views/brief/here-text.ts';
import { type HookAnswer, nothing } from '../answer.ts';
import { withConduct } from '../with-conduct.ts';
import { firstPromptOf, hasSaidLast } from '../agent-files.ts';
import { isFormer } from '../check-agent.ts';
import { findMember } from '../find-member.ts';
import { askForLine } from '../one-line.ts';
import type { HookInput } from '../hook-input.ts';
import { runSnapshot } from '../run-snapshot.ts';
import type { HookRun } from '../hook-run.ts';

export async function subagentStop(input: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  const seen = runSnapshot(hookRun);
  const member = await findMember(seen, input);
  if (member === undefined) {
    const isLate = isFormer(seen, firstPromptOf(input.transcript, input.agent));
    return isLate ? askForLine(input, tooLate) : nothing;
  }
  const { lastMessage } = input;
  // The return of an agent at work is taken from the agent, not from whoever starts this hook.
  if (member.active !== undefined && !hasSaidLast(input.transcript, input.agent, lastMessage)) return nothing;
  const take = async (conduct: Conduct): Promise<HookAnswer> => {
    if (member.active !== undefined) {
      const { takeReturn } = await import('../../conversation/take-return.ts');
      const again = await takeReturn(conduct, member, { text: lastMessage, canAsk: true });
      if (again !== undefined) return { kind: 'continue', message: again };
    }
    return askForLine(input, () =>
      inRun(conduct, ({ state }) => doneText(memberOf(state, member.delegation)?.task ?? member.task)),
    );
  };
  return withConduct(hookRun, take, seen);
}

const tooLate = (): string => 'Returned too late: the run no longer waits for this agent.';
