/**
 * Sends rejected work back to the agent that did it, with the evidence, while the client lets a hook hold the agent. It is the
 * next attempt of the task, as in a run with own agents, and costs the conversation nothing.
 */
import { evidenceText } from '../core/event/work-findings.ts';
import type { Verification } from '../core/event/verification.ts';
import { filesOf } from '../delegation/delegation-files.ts';
import { prepareDelegation } from '../workspace/prepare-delegation.ts';
import type { Activity } from '../core/attempt/activity.ts';
import type { TaskState } from '../core/state/task-state.ts';
import { beginDelegation } from './begin-delegation.ts';
import type { Conduct } from './conduct.ts';
import { inRun, type RunPlace } from './in-run.ts';
import { clientName, type Member } from './member.ts';

/** The client lets hooks hold an agent eight times in a row; the last time is for making its message short. */
const mostHolds = 7;

/** An agent that was held too often stops, whatever a hook says. */
export function canHold(place: RunPlace, { task }: Member): boolean {
  const { id: agent } = task.attempt?.conversation ?? {};
  return agent === undefined || timesHeld(place, agent) < mostHolds;
}

/** A repair is one, and so is a delegation after the first. */
function timesHeld({ ledger, run }: RunPlace, agent: string): number {
  const events = [...ledger.read(run)];
  const own = new Set(
    events.flatMap((one) => (one.kind === 'conversation.opened' && one.id === agent ? [one.delegation] : [])),
  );
  const repairs = events.filter((one) => one.kind === 'return.refused' && own.has(one.delegation));
  return repairs.length + Math.max(0, own.size - 1);
}

/** The message for the agent; undefined where its work was not rejected, or another agent continues. */
export async function sendBack(conduct: Conduct, member: Member): Promise<string | undefined> {
  const begun = inRun(conduct, ({ state, record, advance }) => {
    const task = advance().ready.find(({ planned }) => planned.id === member.task.planned.id);
    const { attempt } = task ?? {};
    if (task === undefined || attempt?.delegation !== member.delegation || !isForSameAgent(task)) return undefined;
    const { conversation, verification, room } = attempt;
    if (conversation === null || verification === null || room === null || !canHold(conduct, { ...member, task }))
      return undefined;
    const activity = beginDelegation(task, state, { ...conduct, base: room.base, record });
    const { delegation } = activity.registered;
    record({ kind: 'conversation.opened', delegation, driver: clientName, id: conversation.id });
    return { activity, verification };
  });
  if (begun === undefined) return undefined;
  const { activity, verification } = begun;
  const { delegation, attempt, task } = activity.registered;
  await prepareDelegation(conduct, { run: conduct.run, wave: activity.wave, task, delegation, attempt });
  return rejectedMessage(conduct, activity, verification);
}

/** The last attempt was rejected, and the next one is for an agent of the same tier. */
function isForSameAgent({ failures, attempts, tier }: TaskState): boolean {
  const last = failures.at(-1);
  return last?.class === 'verification-failed' && last.attempt === attempts && last.tier === tier;
}

function rejectedMessage({ run, clock }: Conduct, { registered, wave }: Activity, found: Verification): string {
  const { attempt, task, delegation, deadline } = registered;
  const { report } = filesOf(run, wave, task, delegation);
  return [
    `Divisi has checked your work and rejected it. This is attempt ${attempt} at task ${task}, delegation ${delegation}:`,
    evidenceText(found),
    `Your changes are still in the files: correct them, and claim every change of all attempts that you keep.`,
    `Then return again as your task says, the whole of it. The report path is now ${report}.`,
    `You have ${Math.max(1, Math.round((deadline - clock.now()) / 60_000))} minutes.`,
  ].join('\n');
}
