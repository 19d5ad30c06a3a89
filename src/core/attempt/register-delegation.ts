/**
 * Registers one attempt at a task: agent, tier, deadline, the account of earlier attempts, and the
 * plan around it.
 */
import { startCommand, workflowAs } from '../event/run-kind.ts';
import { defined } from '../../base/defined.ts';
import { oneLine } from '../../base/text.ts';
import type { DelegationId } from '../../base/ids.ts';
import type { EventOf, NewEvent, RunEvent } from '../event/event.ts';
import { newSpent, timeLeft } from '../state/spent.ts';
import type { RunState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import { checkDelegation } from '../../delegation/check-delegation.ts';
import { earlierReport } from '../../delegation/delegation-files.ts';
import { commandPath } from '../../delegation/path.ts';
import type { Activity } from './activity.ts';
import { surroundingsOf } from './task-surroundings.ts';
import { evidenceText } from '../event/work-findings.ts';

export interface RegisterDeps {
  readonly clock: { now(): number };
  readonly newDelegation: () => DelegationId;
  /** The work key of a task; absent in runs that record none. */
  readonly keyOf?: (task: string) => string | undefined;
}

export function registerDelegation(
  task: TaskState,
  state: RunState,
  { clock, newDelegation, keyOf }: RegisterDeps,
  record: (event: NewEvent) => RunEvent,
): Activity {
  const { created, deadlines } = state;
  const { planned, wave, attempts, tier, failures, notes, spent } = task;
  const found = evidenceOf(task);
  const path = commandPath(startCommand(created), planned.agent, workflowAs(created, 'command')?.above);
  const { command } = workflowAs(created, 'command') ?? {};
  const work = { command, does: doesOf(task), classes: created.settings.classes };
  const safe = checkDelegation(path, { ...created.settings.deadlines, ...deadlines }, work);
  const key = keyOf?.(planned.id);
  const left = timeLeft(planned.budgets ?? {}, spent ?? newSpent()) ?? Infinity;
  const registered = record({
    kind: 'delegation.registered',
    delegation: newDelegation(),
    task: planned.id,
    attempt: attempts + 1,
    agent: planned.agent,
    tier,
    class: safe.class,
    path,
    deadline: Math.round(clock.now() + Math.min(safe.seconds * 1000, left)),
    ...defined({ key }),
  }) as EventOf<'delegation.registered'>;
  const earlier = [...failures.map(accountText), ...found];
  const before = task.before === null ? {} : { before: task.before };
  const { workflow } = created;
  return {
    key: registered.delegation,
    wave,
    task: planned,
    role: task.role,
    registered,
    earlier,
    notes,
    surroundings: surroundingsOf(state, task),
    ...defined({ workflow }),
    ...before,
  };
}

function doesOf({ role }: TaskState): 'work' | 'review' | 'fix' {
  return role === 'work' || role === 'fix' ? role : 'review';
}

/** The findings about the previous attempt, if its verification is why there is another one. */
function evidenceOf({ attempts, failures, attempt }: TaskState): string[] {
  const verification = attempt?.verification ?? null;
  const last = failures.at(-1);
  if (last?.class !== 'verification-failed' || last.attempt !== attempts || verification === null) return [];
  return evidenceText(verification)
    .split('\n')
    .map((line) => `about attempt ${attempts}: ${line.replace(/^- /, '')}`);
}

/** Paths of an account; the prompt has no room for all of a large change. */
const mostLeft = 20;

function accountText(account: TaskState['failures'][number]): string {
  const { attempt, tier, status, class: kind, message, report, commit, left = [], nextSteps } = account;
  const more = left.length > mostLeft ? ` and ${left.length - mostLeft} more` : '';
  const files = left.slice(0, mostLeft).map((path) => oneLine(path, 200));
  const parts = [
    `attempt ${attempt} (${tier}) ${status === 'partial' ? 'did not finish' : status}, ${kind}: ${oneLine(message, 500)}`,
    ...(files.length === 0 ? [] : [`files it left: ${files.join(', ')}${more}`]),
    ...(nextSteps === undefined ? [] : [`what it said comes next: ${oneLine(nextSteps, 500)}`]),
    // It is renamed before this attempt starts.
    ...(report === undefined ? [] : [`its report: ${earlierReport(report, attempt)}`]),
    ...(commit === undefined ? [] : [`its changes are in commit ${commit}`]),
  ];
  return parts.join('; ');
}
