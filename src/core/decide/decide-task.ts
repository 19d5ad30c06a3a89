/** Decides the consequence of an ended attempt: settle, review, retry, or ask a person. */
import { remedyFor } from '../../gates/failure-policy.ts';
import { tiers } from '../../plan/plan.ts';
import { requestCheckpoint, type Decision, record } from './decision.ts';
import { nextGateMove } from './decide-gate.ts';
import { failureOf } from '../event/make-outcome.ts';
import { approvalOfTask, signatureOfTask } from '../state/failure-of.ts';
import { taskGate } from '../state/gate.ts';
import type { Failure } from '../event/outcome.ts';
import { isReview } from '../event/role.ts';
import { exhaustedBudget } from '../state/spent.ts';
import { currentWave, openOf, type RunState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

/** Undefined while the circuit breaker or its gate holds the task. */
export function settlement(state: RunState, task: TaskState): Decision | undefined {
  const { planned, progress, role } = task;
  if (progress.status !== 'ended') throw new Error(`task ${planned.id} has not ended`);
  const { outcome, answer } = progress;
  const settled = (status: typeof outcome.status): Decision =>
    record({ kind: 'task.settled', task: planned.id, status });
  if (!state.created.settings.gated) return settled(outcome.status);
  const failure = failureOf(outcome);
  if (failure === undefined) {
    const key = taskGate(planned.id);
    if (role !== 'work' || (planned.review === undefined && !state.gates.has(key))) return settled('completed');
    const gate = nextGateMove(state, currentWave(state), key, 'task');
    if (gate.kind === 'wait') return undefined;
    return gate.kind === 'do' ? gate.decision : settled('completed');
  }
  if (answer !== undefined) {
    if (!answer) return settled(outcome.status);
    if (approvalOfTask(state, task) === 'accept') {
      const isWork = task.attempt !== null && task.attempt.room !== null && !isReview(role);
      return isWork ? record({ kind: 'task.accepted', task: planned.id }) : settled('completed');
    }
    return record({ kind: 'task.retried', task: planned.id, tier: task.tier, why: 'approved' });
  }
  if (isTripped(state, task)) return undefined;
  return remedied(state, task, failure) ?? settled(outcome.status);
}

function isTripped(state: RunState, task: TaskState): boolean {
  return openOf(state, 'breaker').some(({ signature }) => signature === signatureOfTask(task));
}

/** Undefined if the task settles with its failure. Reviews and fixes never ask: their gate decides. */
function remedied(state: RunState, task: TaskState, failure: Failure): Decision | undefined {
  const { id, budgets = {} } = task.planned;
  if (failure.class === 'quota') return record({ kind: 'task.retried', task: id, tier: task.tier, why: 'waited' });
  const stronger = tiers[tiers.indexOf(task.tier) + 1];
  const tries = failure.class === 'lost' ? task.losses : task.tries;
  const remedy = remedyFor(failure.class, tries, stronger === undefined);
  if (remedy === 'ask') {
    if (task.role !== 'work') return undefined;
    return requestCheckpoint(state, { type: 'failure', why: `${id}: ${failure.class}: ${failure.message}`, task: id });
  }
  const budget = task.spent === null ? undefined : exhaustedBudget(budgets, task.spent);
  if (budget !== undefined) {
    const why = `${id} has used up its ${budgets[budget] ?? 0} ${budget} and is not done: ${failure.message}`;
    return requestCheckpoint(state, { type: 'budget', why, task: id, budget });
  }
  if (remedy === 'again') return record({ kind: 'task.retried', task: id, tier: task.tier, why: 'again' });
  return record({ kind: 'task.retried', task: id, tier: stronger ?? task.tier, why: 'escalated' });
}
