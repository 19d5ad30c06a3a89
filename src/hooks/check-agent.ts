/** Denies every call of an agent that the run no longer waits for: its time is up, or another one has its task. */
import { delegationNamed, type Member } from '../conversation/member.ts';
import type { RunState } from '../core/state/state.ts';
import { ancestry, firstPromptOf } from './agent-files.ts';
import { deny, type HookAnswer, nothing } from './answer.ts';
import { findMemberAbove } from './find-member.ts';
import type { HookInput } from './hook-input.ts';
import type { HookRun } from './hook-run.ts';
import { type RunSnapshot, runSnapshot } from './run-snapshot.ts';

/** An agent at work on its task, and the run as this hook has read it. */
export interface AgentAtWork {
  readonly seen: RunSnapshot;
  readonly member: Member;
}

/** `check` judges the call of an agent at work. An agent that has no task of a run may do everything. */
export async function checkAgent(
  input: HookInput,
  hookRun: HookRun,
  check: (found: AgentAtWork) => Promise<HookAnswer>,
): Promise<HookAnswer> {
  const prompt = firstPromptAbove(input);
  if (prompt !== '' && delegationNamed(prompt) === undefined) return nothing;
  const seen = runSnapshot(hookRun);
  const member = await findMemberAbove(seen, input);
  if (member === undefined) return isFormer(seen, prompt) ? over : nothing;
  return isWaitedFor(member, Date.now()) ? check({ seen, member }) : over;
}

const over = deny('Divisi: your time is up: return what you have. Every further call is refused.');

function isWaitedFor({ active }: Member, now: number): boolean {
  return active !== undefined && active.deadline > now;
}

/** Its delegation has ended. That of another run has, too: a conversation conducts one run at a time. */
export function isFormer(
  { state, hookRun }: { state: RunState; hookRun: Pick<HookRun, 'run'> },
  prompt: string,
): boolean {
  const named = delegationNamed(prompt);
  return named !== undefined && (named.run !== hookRun.run || !state.active.has(named.delegation));
}

/** What the conversation told the agent, or the one above it that the conversation called. Empty where it is not written yet. */
function firstPromptAbove({ transcript, agent }: Pick<HookInput, 'transcript' | 'agent'>): string {
  return firstPromptOf(transcript, ancestry(transcript, agent).at(-1)?.agent ?? agent);
}
