/** A delegation is over: what the conversation gets of it is its brief, and what comes next. */
import { readyNow } from '../conversation/conduct.ts';
import { inRun } from '../conversation/in-run.ts';
import { delegationIn, memberOf } from '../conversation/member.ts';
import { doneText, nextText } from '../views/here-text.ts';
import { type HookAnswer, nothing, specific } from './answer.ts';
import { conducting } from './conducting.ts';
import { findMember } from './find-member.ts';
import { type HookInput, listOf, textOf } from './hook-input.ts';
import { look } from './look.ts';
import type { Where } from './step.ts';

export async function delegationOver(input: HookInput, where: Where): Promise<HookAnswer> {
  const { toolInput, toolResponse, transcript } = input;
  const prompt = textOf(toolInput['prompt']);
  const delegation = delegationIn(prompt);
  const agent = textOf(toolResponse['agentId']);
  if (delegation === undefined) return nothing;
  const seen = look(where);
  const member = (await findMember(seen, { transcript, agent }, prompt)) ?? memberOf(seen.state, delegation);
  if (member === undefined || toolResponse['isAsync'] === true) return nothing;
  return conducting(where, async (conduct) => {
    if (member.active !== undefined) {
      // Its own stop was missed: what it said is all there is.
      const { takeReturn } = await import('../conversation/take-return.ts');
      await takeReturn(conduct, member, { text: contentOf(toolResponse), canAsk: false });
    }
    const { done, next } = inRun(conduct, ({ state, advance }) => {
      const ready = readyNow(advance(), conduct.roles);
      const task = memberOf(state, delegation)?.task ?? member.task;
      return { done: doneText(task), next: nextText(state, ready) };
    });
    const content = [{ type: 'text', text: `${done}\n${next}` }];
    return specific('PostToolUse', { updatedToolOutput: { ...toolResponse, content } }, done);
  });
}

function contentOf(toolResponse: HookInput['toolResponse']): string {
  const texts = listOf(toolResponse['content']).map(({ text }) => textOf(text));
  return texts.filter((text) => !text.startsWith('<tools-used-before-summary>')).join('\n');
}
