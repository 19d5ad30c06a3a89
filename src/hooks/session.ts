/** A conversation begins, goes on after a break, or is about to be shortened: it is told where its run is. */
import { readyNow } from '../conversation/conduct.ts';
import { inRun } from '../conversation/in-run.ts';
import { memberOf } from '../conversation/member.ts';
import { runText } from '../views/here-text.ts';
import { type HookAnswer, specific } from './answer.ts';
import { conducting } from './conducting.ts';
import type { HookInput } from './hook-input.ts';
import type { Where } from './step.ts';

/** The client was started anew: the agents of the one before are gone. */
const beginnings = new Set(['startup', 'resume']);

export async function session({ event, source }: HookInput, where: Where): Promise<HookAnswer> {
  return conducting(where, async (conduct) => {
    if (event === 'SessionStart' && beginnings.has(source)) {
      const gone = inRun(conduct, ({ state }) => [...state.active.keys()].flatMap((id) => memberOf(state, id) ?? []));
      if (gone.length > 0) {
        const { takeLost } = await import('../conversation/take-return.ts');
        for (const member of gone) await takeLost(conduct, member);
      }
    }
    const text = inRun(conduct, ({ state, advance }) => runText(state, readyNow(advance(), conduct.roles)));
    return event === 'PreCompact'
      ? { kind: 'text', text: `Keep this: ${text}` }
      : specific('SessionStart', { additionalContext: text });
  });
}
