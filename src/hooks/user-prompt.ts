/** A prompt reaches the conversation. What matters here are the client's own, which tell that an agent in the background has ended. */
import { readyNow } from '../conversation/conduct.ts';
import { inRun } from '../conversation/in-run.ts';
import { memberOf } from '../conversation/member.ts';
import { doneText, isTrouble, nextText } from '../views/here-text.ts';
import { type HookAnswer, nothing, shown, specific } from './answer.ts';
import { conducting } from './conducting.ts';
import { findMember } from './find-member.ts';
import type { HookInput } from './hook-input.ts';
import { look } from './look.ts';
import type { Where } from './step.ts';

export async function userPrompt({ prompt, transcript }: HookInput, where: Where): Promise<HookAnswer> {
  const agent = elementOf(prompt, 'task-id');
  const member = await findMember(look(where), { transcript, agent });
  if (member === undefined) return nothing;
  return conducting(where, async (conduct) => {
    if (member.active !== undefined) {
      const { takeLost, takeReturn } = await import('../conversation/take-return.ts');
      // Its own stop was missed, or it never came to one.
      const text = elementOf(prompt, 'result');
      if (elementOf(prompt, 'status') === 'completed') await takeReturn(conduct, member, { text, canAsk: false });
      else await takeLost(conduct, member);
    }
    return inRun(conduct, ({ state, advance }) => {
      const ready = readyNow(advance(), conduct.roles);
      const task = memberOf(state, member.delegation)?.task ?? member.task;
      const done = doneText(task);
      const news = [
        ...(isTrouble(task) ? [done] : []),
        ...(isNews(state.active.size, ready.length) ? [nextText(state, ready)] : []),
      ];
      return news.length === 0
        ? shown(done)
        : specific('UserPromptSubmit', { additionalContext: news.join('\n') }, done);
    });
  });
}

/** Something can be delegated, or nothing will happen any more by itself. */
const isNews = (active: number, ready: number): boolean => ready > 0 || active === 0;

function elementOf(text: string, name: string): string {
  const from = text.indexOf(`<${name}>`);
  const to = text.lastIndexOf(`</${name}>`);
  return from === -1 || to < from ? '' : text.slice(from + name.length + 2, to);
}
