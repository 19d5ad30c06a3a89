/** Catches up on a conducted run: accounts for lost agents, then records what the core decides. */
import { type Conduct, readyNow } from '../conversation/conduct.ts';
import { inRun } from '../conversation/in-run.ts';
import { memberOf } from '../conversation/member.ts';
import { runText } from '../views/brief/here-text.ts';
import { withConduct } from './with-conduct.ts';
import type { RunSnapshot } from './run-snapshot.ts';

/** Returns the text about the run. `isRestarted`: agents that were running are gone. */
export async function catchUp(seen: RunSnapshot, isRestarted: boolean): Promise<string> {
  const take = async (conduct: Conduct): Promise<string> => {
    const gone = isRestarted
      ? inRun(conduct, ({ state }) => [...state.active.keys()].flatMap((id) => memberOf(state, id) ?? []))
      : [];
    if (gone.length > 0) await (await import('../conversation/take-return.ts')).endLostDelegations(conduct, gone);
    return inRun(conduct, ({ state, advance }) => runText(state, readyNow(advance(), conduct.roles)));
  };
  return withConduct(seen.hookRun, take, seen);
}
