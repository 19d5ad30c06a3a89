/** PostToolUse of a delegation: replaces the agent's output with its result brief and what comes next. */
import { delegationInPrompt, memberOf } from '../../conversation/member.ts';
import { listOf, textAt, textOrEmpty } from '../../base/json-value.ts';
import { doneText, hereNext } from '../../views/brief/here-text.ts';
import { afterDelegation } from './after-delegation.ts';
import { type HookAnswer, nothing, hookOutput } from '../answer.ts';
import { findMember } from '../find-member.ts';
import type { HookInput } from '../hook-input.ts';
import { runSnapshot } from '../run-snapshot.ts';
import type { HookRun } from '../hook-run.ts';

export async function delegationOver(input: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  const { toolInput, toolResponse, transcript } = input;
  const prompt = textOrEmpty(toolInput['prompt']);
  const delegation = delegationInPrompt(prompt, hookRun.run);
  const agent = textOrEmpty(toolResponse['agentId']);
  if (delegation === undefined) return nothing;
  const seen = runSnapshot(hookRun);
  const member = (await findMember(seen, { transcript, agent }, prompt)) ?? memberOf(seen.state, delegation);
  if (member === undefined || toolResponse['isAsync'] === true) return nothing;
  // If its SubagentStop was missed, this output is all there is.
  const after = await afterDelegation(seen, member, { text: contentOf(toolResponse), canAsk: false });
  const done = doneText(after.task);
  const content = [{ type: 'text', text: `${done}\n${hereNext(after.state, after.ready)}` }];
  return hookOutput('PostToolUse', { updatedToolOutput: { ...toolResponse, content } }, done);
}

function contentOf(toolResponse: HookInput['toolResponse']): string {
  const texts = listOf(toolResponse['content']).map((block) => textAt(block, 'text'));
  return texts.filter((text) => !text.startsWith('<tools-used-before-summary>')).join('\n');
}
