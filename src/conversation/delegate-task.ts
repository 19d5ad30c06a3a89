/**
 * Delegates a task to an agent of the conversation: checks that it may start now and writes its prompt. The delegation is recorded
 * before the agent starts.
 */
import { beginDelegation } from './begin-delegation.ts';
import { ownFolders } from './conduct.ts';
import { oneLine } from '../base/text.ts';
import { contractFor } from '../core/attempt/return-check.ts';
import { attemptPrompt } from '../core/attempt/attempt-prompt.ts';
import type { Activity } from '../core/attempt/activity.ts';
import { findTask, type RunState } from '../core/state/state.ts';
import { waitingFor } from '../core/state/waiting.ts';
import { hereNext } from '../views/brief/here-text.ts';
import { waitingText } from '../views/run/waiting-text.ts';
import { knownRepository } from '../workspace/git/known-repository.ts';
import { treeOfCheckout } from '../workspace/git/snapshot-checkout.ts';
import { prepareDelegation } from '../workspace/prepare-delegation.ts';
import { type Conduct, readyNow } from './conduct.ts';
import type { RemainingWork } from './advance.ts';
import { inRun } from './in-run.ts';
import { memberOf } from './member.ts';
import { type Subagent, subagentFor } from './subagent.ts';

export type DelegateResult =
  | {
      readonly ok: true;
      readonly prompt: string;
      /** `1.1 Write a file`. */ readonly label: string;
      readonly subagent: Subagent;
    }
  | { readonly ok: false; readonly why: string };

/** The task named by a prompt of the conductor: `divisi 1.1`. Other forms do not count. */
export function taskInPrompt(prompt: string): string | undefined {
  return /^\s*divisi\s+([^\s,;]{1,120}?)[.:]?(?=[\s,;]|$)/i.exec(prompt)?.[1];
}

export async function delegateTask(conduct: Conduct, id: string): Promise<DelegateResult> {
  await takeUnopened(conduct, id);
  const before = inRun(conduct, ({ state, advance }) => refusal(state, advance(), id, conduct));
  if (before !== undefined) return { ok: false, why: before };
  const { project, environment, run, roles } = conduct;
  const repository = await knownRepository(project, environment);
  const base = await treeOfCheckout(repository, ownFolders);
  const begun = inRun(conduct, ({ state, record, advance }) => {
    const advanced = advance();
    const why = refusal(state, advanced, id, conduct);
    const task = advanced.ready.find(({ planned }) => planned.id === id);
    if (why !== undefined || task === undefined) return { why: why ?? `${id} cannot be delegated now` };
    const subagent = subagentFor(task, roles.agents);
    return { activity: beginDelegation(task, state, { ...conduct, base, record }), subagent };
  });
  if ('why' in begun) return { ok: false, why: begun.why };
  const { activity, subagent } = begun;
  const { delegation, attempt, task } = activity.registered;
  try {
    await prepareDelegation(conduct, { run, wave: activity.wave, task, delegation, attempt });
    const label = oneLine(`${id} ${activity.task.title}`, 60);
    return { ok: true, prompt: promptFor(activity, conduct), label, subagent };
  } catch (error) {
    // No agent will start: the delegation is lost.
    const member = inRun(conduct, ({ state }) => memberOf(state, delegation));
    if (member !== undefined) await (await import('./take-return.ts')).endLostDelegations(conduct, [member]);
    throw error;
  }
}

const stillThere =
  'the changes of the previous attempt are still in the files: continue from there, and claim every change you keep';

/** Milliseconds in which a started agent reports for the first time. */
const toShow = 60_000;

/** Ends a delegation whose agent never started: the client may have refused it after it was registered. */
async function takeUnopened(conduct: Conduct, id: string): Promise<void> {
  const lost = inRun(conduct, ({ state }) => {
    const task = findTask(state, id);
    if (task?.progress.status !== 'running' || (task.attempt?.conversation ?? null) !== null) return undefined;
    const member = memberOf(state, task.progress.delegation);
    return (member?.active?.registered.at ?? Infinity) + toShow < conduct.clock.now() ? member : undefined;
  });
  if (lost !== undefined) await (await import('./take-return.ts')).endLostDelegations(conduct, [lost]);
}

function promptFor(activity: Activity, { run, roles, clock }: Conduct): string {
  const contract = contractFor({ ...activity, agent: activity.registered.agent }, roles);
  const milliseconds = activity.registered.deadline - clock.now();
  const earlier = activity.before === undefined ? activity.earlier : [...activity.earlier, stillThere];
  return attemptPrompt({ ...activity, earlier }, { run, agents: roles.agents, contract, by: 'message', milliseconds });
}

/** Why the task may not be delegated now, and which tasks may; undefined where it may. */
function refusal(state: RunState, advanced: RemainingWork, id: string, { roles }: Conduct): string | undefined {
  if (advanced.ready.some(({ planned }) => planned.id === id)) return undefined;
  return `${reason(state, id)}. ${hereNext(state, readyNow(advanced, roles))}`;
}

function reason(state: RunState, id: string): string {
  const task = findTask(state, id);
  if (task === undefined) return `The run has no task ${oneLine(id, 40)}`;
  const waiting = waitingFor(state, task);
  if (waiting !== undefined) return `Task ${id} is ${waitingText(waiting)}`;
  return `Task ${id} is already ${task.progress.status}`;
}
