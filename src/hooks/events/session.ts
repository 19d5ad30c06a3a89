/** SessionStart and PreCompact: tells the conversation the state of its run. */
import { readyNow } from '../../conversation/conduct.ts';
import { runText } from '../../views/brief/here-text.ts';
import { agentsOf } from '../../workspace/agents-of.ts';
import { type HookAnswer, hookOutput } from '../answer.ts';
import type { HookInput } from '../hook-input.ts';
import { advanceReadOnly, type RunSnapshot, runSnapshot } from '../run-snapshot.ts';
import type { HookRun } from '../hook-run.ts';

/** The client was restarted: its earlier agents are gone. */
const beginnings = new Set(['startup', 'resume']);

export async function session({ event, source, session: id }: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  const isRestarted = event === 'SessionStart' && beginnings.has(source);
  const seen = runSnapshot(hookRun);
  const text = await textFor(seen, isRestarted);
  if (isRestarted) await (await import('../conductor-presence.ts')).recordReturn(seen, id);
  return event === 'PreCompact'
    ? { kind: 'text', text: `Keep this: ${text}` }
    : hookOutput('SessionStart', { additionalContext: text });
}

async function textFor(seen: RunSnapshot, isRestarted: boolean): Promise<string> {
  const now = isRestarted && seen.state.active.size > 0 ? undefined : advanceReadOnly(seen);
  if (now !== undefined) return runText(seen.state, readyNow(now, { agents: await agentsOf(seen.hookRun.project) }));
  return (await import('../catch-up.ts')).catchUp(seen, isRestarted);
}
