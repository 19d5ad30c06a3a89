/** Registers one attempt at a task: agent, tier, deadline, and the account of earlier attempts. */
import { startCommand, workflowAs } from '../event/run-kind.ts';
import { defined } from '../../base/defined.ts';
import { oneLine } from '../../base/text.ts';
import type { DelegationId } from '../../base/ids.ts';
import type { EventOf, NewEvent, RunEvent } from '../event/event.ts';
import { newSpent, timeLeft } from '../state/spent.ts';
import type { RunState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import { checkDelegation } from '../../delegation/check-delegation.ts';
import { commandPath } from '../../delegation/path.ts';
import type { Activity } from './activity.ts';
import { evidenceText } from '../work/work-findings.ts';

export interface RegisterDeps {
  readonly clock: { now(): number };
  readonly newDelegation: () => DelegationId;
  /** The work key of a task; absent in runs that record none. */
  readonly keyOf?: (task: string) => string | undefined;
}

export function registerDelegation(
  task: TaskState,
  { created, deadlines }: RunState,
  { clock, newDelegation, keyOf }: RegisterDeps,
  record: (event: NewEvent) => RunEvent,
): Activity {
  const { planned, wave, attempts, tier, failures, notes, spent } = task;
  const found = evidenceOf(task);
  const path = commandPath(startCommand(created), planned.agent, workflowAs(created, 'command')?.above);
  const safe = checkDelegation(path, { ...created.settings.deadlines, ...deadlines });
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
    ...defined({ workflow }),
    ...before,
  };
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

function accountText({ attempt, tier, class: kind, message, report, commit }: TaskState['failures'][number]): string {
  const where = report === undefined ? '' : `; its report: ${report}`;
  const what = commit === undefined ? '' : `; its changes are in commit ${commit}`;
  return `attempt ${attempt} (${tier}) failed, ${kind}: ${oneLine(message, 500)}${where}${what}`;
}
