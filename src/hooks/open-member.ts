/** Binds an agent to its delegation at its first step; afterwards its id identifies it. */
import type { DelegationId } from '../base/ids.ts';
import { inRun } from '../conversation/in-run.ts';
import { clientName, isUnassigned, type Member, memberByAgent, memberOf } from '../conversation/member.ts';
import { withRun } from './with-run.ts';
import type { HookRun } from './hook-run.ts';

/** Undefined when another agent was bound first. */
export async function openMember(
  hookRun: HookRun,
  delegation: DelegationId,
  agent: string,
): Promise<Member | undefined> {
  return withRun(hookRun, async (place) =>
    inRun(place, ({ state, record }) => {
      const known = memberByAgent(state, agent);
      if (known !== undefined) return known;
      const member = memberOf(state, delegation);
      if (member === undefined || !isUnassigned(member)) return undefined;
      record({ kind: 'conversation.opened', delegation, driver: clientName, id: agent });
      return member;
    }),
  );
}
