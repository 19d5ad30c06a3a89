/** Binds an agent to its delegation at its first step; afterwards its id identifies it. */
import type { DelegationId } from '../base/ids.ts';
import { inRun, type RunPlace } from '../conversation/in-run.ts';
import { clientName, isUnassigned, type Member, memberByAgent, memberOf } from '../conversation/member.ts';
import { withRun } from './with-run.ts';
import type { RunSnapshot } from './run-snapshot.ts';

/** Undefined when another agent was bound first. */
export async function openMember(
  seen: RunSnapshot,
  delegation: DelegationId,
  agent: string,
): Promise<Member | undefined> {
  const open = async (place: RunPlace): Promise<Member | undefined> =>
    inRun(place, ({ state, record }) => {
      const known = memberByAgent(state, agent);
      if (known !== undefined) return known;
      const member = memberOf(state, delegation);
      if (member === undefined || !isUnassigned(member)) return undefined;
      record({ kind: 'conversation.opened', delegation, driver: clientName, id: agent });
      return member;
    });
  return withRun(seen.hookRun, open, seen);
}
