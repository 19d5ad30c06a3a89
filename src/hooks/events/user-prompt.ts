/** UserPromptSubmit: handles the client's notification that a background agent has ended. */
import { doneText, isTrouble, hereNext } from '../../views/brief/here-text.ts';
import { afterDelegation } from './after-delegation.ts';
import { type HookAnswer, nothing, messageToPerson, hookOutput } from '../answer.ts';
import { findMember } from '../find-member.ts';
import type { HookInput } from '../hook-input.ts';
import { runSnapshot } from '../run-snapshot.ts';
import type { HookRun } from '../hook-run.ts';

export async function userPrompt({ prompt, transcript }: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  const agent = elementOf(prompt, 'task-id');
  const seen = runSnapshot(hookRun);
  const member = await findMember(seen, { transcript, agent });
  if (member === undefined) return nothing;
  const isCompleted = elementOf(prompt, 'status') === 'completed';
  const said = isCompleted ? ({ text: elementOf(prompt, 'result'), canAsk: false } as const) : 'lost';
  const { state, task, ready } = await afterDelegation(seen, member, said);
  const done = doneText(task);
  const news = [
    ...(isTrouble(task) ? [done] : []),
    ...(isNews(state.active.size, ready.length) ? [hereNext(state, ready)] : []),
  ];
  return news.length === 0
    ? messageToPerson(done)
    : hookOutput('UserPromptSubmit', { additionalContext: news.join('\n') }, done);
}

/** Something can be delegated, or nothing more happens automatically. */
const isNews = (active: number, ready: number): boolean => ready > 0 || active === 0;

function elementOf(text: string, name: string): string {
  const from = text.indexOf(`<${name}>`);
  // An agent's text may quote any element: only `result` extends to the last closing tag.
  const to = name === 'result' ? text.lastIndexOf(`</${name}>`) : text.indexOf(`</${name}>`, from);
  return from === -1 || to < from ? '' : text.slice(from + name.length + 2, to);
}
