/** Resumes a run: accounts for lost agents and records what the core wants recorded. */
import { type Conduct, readyNow } from '../conversation/conduct.ts';
import { inRun } from '../conversation/in-run.ts';
import { memberOf } from '../conversation/member.ts';
import { runText } from '../views/brief/here-text.ts';
import { conducting } from './conducting.ts';
import type { Look } from './look.ts';

/** Returns the run's text. `isAnew`: agents that were running are gone. */
export async function takeUp(seen: Look, isAnew: boolean): Promise<string> {
  const take = async (conduct: Conduct): Promise<string> => {
    const gone = isAnew
      ? inRun(conduct, ({ state }) => [...state.active.keys()].flatMap((id) => memberOf(state, id) ?? []))
      : [];
    if (gone.length > 0) await (await import('../conversation/take-return.ts')).takeAllLost(conduct, gone);
    return inRun(conduct, ({ state, advance }) => runText(state, readyNow(advance(), conduct.roles)));
  };
  return conducting(seen.where, take, seen);
}
