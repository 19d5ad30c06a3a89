/** SessionStart and PreCompact: tells the conversation the state of its run. */
import { readyNow } from '../../conversation/conduct.ts';
import { runText } from '../../views/brief/here-text.ts';
import { agentsOf } from '../../workspace/agents-of.ts';
import { type HookAnswer, specific } from '../answer.ts';
import type { HookInput } from '../hook-input.ts';
import { look, quietly } from '../look.ts';
import type { Where } from '../where.ts';

/** The client was restarted: its earlier agents are gone. */
const beginnings = new Set(['startup', 'resume']);

export async function session({ event, source }: HookInput, where: Where): Promise<HookAnswer> {
  const text = await textFor(where, event === 'SessionStart' && beginnings.has(source));
  return event === 'PreCompact'
    ? { kind: 'text', text: `Keep this: ${text}` }
    : specific('SessionStart', { additionalContext: text });
}

async function textFor(where: Where, isAnew: boolean): Promise<string> {
  const seen = look(where);
  const now = isAnew && seen.state.active.size > 0 ? undefined : quietly(seen);
  if (now !== undefined) return runText(seen.state, readyNow(now, { agents: await agentsOf(where.project) }));
  return (await import('../take-up.ts')).takeUp(seen, isAnew);
}
