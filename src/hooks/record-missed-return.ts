/** Records the return of an agent whose SubagentStop was missed, then what the core decides. */
import { type Conduct, readyNow } from '../conversation/conduct.ts';
import { inRun } from '../conversation/in-run.ts';
import { type Member, memberOf } from '../conversation/member.ts';
import type { AgentMessage } from '../conversation/take-return.ts';
import type { RunState } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { Ready } from '../views/brief/here-text.ts';
import { withConduct } from './with-conduct.ts';
import type { RunSnapshot } from './run-snapshot.ts';

export interface DelegationResult {
  readonly state: RunState;
  readonly task: TaskState;
  readonly ready: readonly Ready[];
}

export async function recordMissedReturn(
  seen: RunSnapshot,
  member: Member,
  said: AgentMessage | 'lost',
): Promise<DelegationResult> {
  const take = async (conduct: Conduct): Promise<DelegationResult> => {
    if (member.active !== undefined) {
      const { endLostDelegations, takeReturn } = await import('../conversation/take-return.ts');
      if (said === 'lost') await endLostDelegations(conduct, [member]);
      else await takeReturn(conduct, member, said);
    }
    return inRun(conduct, ({ state, advance }) => {
      const ready = readyNow(advance(), conduct.roles);
      return { state, ready, task: memberOf(state, member.delegation)?.task ?? member.task };
    });
  };
  return withConduct(seen.hookRun, take, seen);
}
