/** Which delegation of the run an agent works on: by its id, or, at its first step, by the prompt that code wrote for it. */
import type { Conduct } from '../conversation/conduct.ts';
import { inRun } from '../conversation/in-run.ts';
import { client, delegationIn, isFree, type Member, memberByAgent, memberOf } from '../conversation/member.ts';
import { ancestry, promptOf } from './agent-files.ts';

/** Undefined for an agent that has no task of this run. `prompt` is read from the client's files where it is not given. */
export function findMember(
  conduct: Conduct,
  { transcript, agent }: { readonly transcript: string; readonly agent: string },
  prompt?: string,
): Member | undefined {
  return inRun(conduct, ({ state, record }) => {
    const known = memberByAgent(state, agent);
    if (known !== undefined) return known;
    const delegation = delegationIn(prompt ?? promptOf(transcript, agent));
    const member = delegation === undefined ? undefined : memberOf(state, delegation);
    // A prompt that was copied does not make another agent the one that the task was given to.
    if (member === undefined || !isFree(member)) return undefined;
    record({ kind: 'conversation.opened', delegation: member.delegation, driver: client, id: agent });
    return member;
  });
}

/** The same for an agent that one of the run's agents called, directly or not. */
export function findMemberAbove(conduct: Conduct, input: { transcript: string; agent: string }): Member | undefined {
  for (const { agent } of ancestry(input.transcript, input.agent)) {
    const member = findMember(conduct, { transcript: input.transcript, agent });
    if (member !== undefined) return member;
  }
  return undefined;
}
