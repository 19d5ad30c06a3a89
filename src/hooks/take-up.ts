/** A run that has something to catch up with: what was lost, what the core wants recorded. */
import { readyNow } from '../conversation/conduct.ts';
import { inRun } from '../conversation/in-run.ts';
import { memberOf } from '../conversation/member.ts';
import { runText } from '../views/brief/here-text.ts';
import { conducting } from './conducting.ts';
import type { Where } from './where.ts';

/** Where the run is then. `isAnew`: whoever was at work is not there any more. */
export async function takeUp(where: Where, isAnew: boolean): Promise<string> {
  return conducting(where, async (conduct) => {
    const gone = isAnew
      ? inRun(conduct, ({ state }) => [...state.active.keys()].flatMap((id) => memberOf(state, id) ?? []))
      : [];
    if (gone.length > 0) await (await import('../conversation/take-return.ts')).takeAllLost(conduct, gone);
    return inRun(conduct, ({ state, advance }) => runText(state, readyNow(advance(), conduct.roles)));
  });
}
