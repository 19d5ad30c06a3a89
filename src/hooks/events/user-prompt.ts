/** UserPromptSubmit: handles the client's notification that a background agent has ended. */
import { doneText, isTrouble, hereNext } from '../../views/brief/here-text.ts';
import { afterDelegation } from './after-delegation.ts';
import { dropPrompt, type HookAnswer, nothing, messageToPerson, hookOutput } from '../answer.ts';
import { findMember } from '../find-member.ts';
import { isHeadless } from '../is-headless.ts';
import { readNotification, tooLongFor } from '../notification.ts';
import type { HookInput } from '../hook-input.ts';
import { runSnapshot } from '../run-snapshot.ts';
import type { HookRun } from '../hook-run.ts';

export async function userPrompt({ prompt, transcript }: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  const notification = readNotification(prompt);
  const seen = runSnapshot(hookRun);
  const member = await findMember(seen, { transcript, agent: notification.agent });
  if (member === undefined) return nothing;
  const isTooLong = tooLongFor(seen.state, notification) !== undefined;
  const said = notification.isCompleted ? ({ text: notification.result, canAsk: false } as const) : 'lost';
  const { state, task, ready } = await afterDelegation(seen, member, said);
  const done = doneText(task);
  const news = [
    ...(isTrouble(task) ? [done] : []),
    ...(isNews(state.active.size, ready.length) ? [hereNext(state, ready)] : []),
  ];
  // In a terminal, the hook `Wake` brings the news; without one, the next agent that ends does.
  if (isTooLong && (news.length === 0 || !isHeadless(hookRun.environment))) return dropPrompt('UserPromptSubmit', done);
  return news.length === 0
    ? messageToPerson(done)
    : hookOutput('UserPromptSubmit', { additionalContext: news.join('\n') }, done);
}

/** Something can be delegated, or nothing more happens automatically. */
const isNews = (active: number, ready: number): boolean => ready > 0 || active === 0;
