/** Finds the delegation an agent works on: by its id or, at its first step, by the prompt that Divisi wrote. */
import { delegationInPrompt, isUnassigned, type Member, memberByAgent, memberOf } from '../conversation/member.ts';
import type { RunState } from '../core/state/state.ts';
import { ancestry, isCalledByAgent, waitForPrompt } from './agent-files.ts';
import type { RunSnapshot } from './run-snapshot.ts';

interface AgentRef {
  readonly transcript: string;
  readonly agent: string;
}

/** Undefined for an agent that has no task of this run. `prompt` is read from the client's files where it is not given. */
export async function findMember(
  seen: RunSnapshot,
  { transcript, agent }: AgentRef,
  prompt?: string,
): Promise<Member | undefined> {
  const { state, hookRun } = seen;
  const known = memberByAgent(state, agent);
  if (known !== undefined) return known;
  // All delegations have their agents: this one has no task.
  if (prompt === undefined && !isAnyAwaited(state)) return undefined;
  const firstPrompt = prompt ?? waitForPrompt(transcript, agent);
  // An agent called by another agent has no task of its own, whatever its prompt says.
  if (prompt === undefined && isCalledByAgent(transcript, agent)) return undefined;
  const delegation = delegationInPrompt(firstPrompt, hookRun.run);
  const member = delegation === undefined ? undefined : memberOf(state, delegation);
  // A copied prompt does not rebind a task.
  if (member === undefined || !isUnassigned(member)) return undefined;
  return (await import('./open-member.ts')).openMember(seen, member.delegation, agent);
}

const isAnyAwaited = (state: RunState): boolean =>
  state.active.keys().some((delegation) => {
    const member = memberOf(state, delegation);
    return member !== undefined && isUnassigned(member);
  });

/** Also finds an agent that one of the run's agents called, directly or indirectly. */
export async function findMemberAbove(
  snapshot: RunSnapshot,
  { transcript, agent: first }: AgentRef,
): Promise<Member | undefined> {
  for (const { agent } of ancestry(transcript, first)) {
    const member = await findMember(snapshot, { transcript, agent });
    if (member !== undefined) return member;
  }
  return undefined;
}
