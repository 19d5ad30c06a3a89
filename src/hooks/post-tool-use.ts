/** After a tool was used: what an agent wrote is noted, and what a delegation brings back becomes its brief. */
import { type Conduct, readyNow } from '../conversation/conduct.ts';
import { inRun } from '../conversation/in-run.ts';
import { delegationIn, memberOf } from '../conversation/member.ts';
import { editing } from '../conversation/permit.ts';
import { takeReturn } from '../conversation/take-return.ts';
import { doneText, nextText } from '../views/here-text.ts';
import { type HookAnswer, nothing, specific } from './answer.ts';
import { conducting } from './conducting.ts';
import { findMember, findMemberAbove } from './find-member.ts';
import { type HookInput, listOf, textOf } from './hook-input.ts';
import { pathIn } from './pre-tool-use.ts';
import type { Where } from './step.ts';

export async function postToolUse(input: HookInput, where: Where): Promise<HookAnswer> {
  if (editing.has(input.tool)) {
    return input.agent === '' ? nothing : conducting(where, async (conduct) => touched(input, conduct));
  }
  return input.agent === '' ? conducting(where, (conduct) => delegated(input, conduct)) : nothing;
}

function touched(input: HookInput, conduct: Conduct): HookAnswer {
  const member = findMemberAbove(conduct, input);
  const path = pathIn(input, conduct);
  if (member !== undefined && path !== undefined)
    conduct.ledger.tell(conduct.run, { kind: 'touched', delegation: member.delegation, path });
  return nothing;
}

async function delegated({ toolInput, toolResponse, transcript }: HookInput, conduct: Conduct): Promise<HookAnswer> {
  const prompt = textOf(toolInput['prompt']);
  const delegation = delegationIn(prompt);
  const agent = textOf(toolResponse['agentId']);
  if (delegation === undefined) return nothing;
  const member =
    findMember(conduct, { transcript, agent }, prompt) ?? inRun(conduct, ({ state }) => memberOf(state, delegation));
  if (member === undefined || toolResponse['isAsync'] === true) return nothing;
  // Its own stop was missed: what it said is all there is.
  if (member.active !== undefined) await takeReturn(conduct, member, { text: contentOf(toolResponse), canAsk: false });
  const { done, next } = inRun(conduct, ({ state, advance }) => {
    const ready = readyNow(advance(), conduct.roles);
    const task = memberOf(state, delegation)?.task ?? member.task;
    return { done: doneText(task), next: nextText(state, ready) };
  });
  const content = [{ type: 'text', text: `${done}\n${next}` }];
  return specific('PostToolUse', { updatedToolOutput: { ...toolResponse, content } }, done);
}

function contentOf(toolResponse: HookInput['toolResponse']): string {
  const texts = listOf(toolResponse['content']).map(({ text }) => textOf(text));
  return texts.filter((text) => !text.startsWith('<tools-used-before-summary>')).join('\n');
}
