/**
 * Wake: runs beside UserPromptSubmit, in the background of the client, and wakes the conversation with one line in the place of a
 * notification that UserPromptSubmit has dropped. Without a terminal the client does not wake a conversation.
 */
import { doneText, hereNext } from '../../views/brief/here-text.ts';
import { afterDelegation } from './after-delegation.ts';
import { type HookAnswer, nothing } from '../answer.ts';
import { isHeadless } from '../is-headless.ts';
import { readNotification, tooLongFor } from '../notification.ts';
import type { HookInput } from '../hook-input.ts';
import { runSnapshot } from '../run-snapshot.ts';
import type { HookRun } from '../hook-run.ts';

export async function wake({ prompt }: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  if (isHeadless(hookRun.environment)) return nothing;
  const seen = runSnapshot(hookRun);
  const member = tooLongFor(seen.state, readNotification(prompt));
  if (member === undefined) return nothing;
  const { state, task, ready } = await afterDelegation(seen, member, 'lost');
  return { kind: 'continue', message: `${doneText(task)}\n${hereNext(state, ready)}` };
}
