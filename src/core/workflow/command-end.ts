/** Decides how a task command ended, and the resulting status of its backlog task. */
import { workflowAs } from '../event/run-kind.ts';
import type { TaskStatus } from '../../todo/task-status.ts';
import { failureOf } from '../event/make-outcome.ts';
import type { RunState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import type { CommandWorkflow } from '../event/workflow.ts';

/** The status of a backlog task while the command runs, and when it is done; a review does not change it. */
const statuses: Readonly<Record<string, { readonly active: TaskStatus; readonly done: TaskStatus } | undefined>> = {
  research: { active: 'researching', done: 'researched' },
  plan: { active: 'planning', done: 'planned' },
  revise: { active: 'revising', done: 'revised' },
  implement: { active: 'implementing', done: 'completed' },
};

export function activeStatus(command: string): TaskStatus | undefined {
  return statuses[command]?.active;
}

/**
 * `invalid`: the return was not accepted, or its claims are false. `failed`: the agent reported a failure, or could
 * not work. `open`: the command has not ended.
 */
export type CommandEnd = 'completed' | 'partial' | 'blocked' | 'failed' | 'invalid' | 'cancelled' | 'open';

export const commandOf = ({ created }: RunState): CommandWorkflow => {
  const workflow = workflowAs(created, 'command');
  if (workflow === undefined) throw new Error(`${created.run} does not run a task command`);
  return workflow;
};

/** The first task that blocks the others. */
export function troubleOf({ tasks }: RunState): TaskState | undefined {
  const isTrouble = ({ progress: { status } }: TaskState): boolean => status !== 'completed' && status !== 'skipped';
  return [...tasks.values()].find(isTrouble);
}

/**
 * The agents have finished, but their work could not be merged into the user's checkout; running the same command
 * retries that.
 */
export function isStranded({ command, head }: RunState): boolean {
  return head !== null && command.facts.sync?.done === false;
}

export function commandEnd(state: RunState): CommandEnd {
  const end = workEnd(state);
  return end === 'completed' && isStranded(state) ? 'partial' : end;
}

/** How a task command ended whose run counts as failed; undefined for every other run. */
export function unfinishedEnd(state: RunState): CommandEnd | undefined {
  if (workflowAs(state.created, 'command') === undefined || state.status !== 'failed') return undefined;
  const end = commandEnd(state);
  return end === 'open' ? undefined : end;
}

/** The end of its agents, before the merge into the checkout. */
export function workEnd(state: RunState): CommandEnd {
  if (state.status === 'cancelled') return 'cancelled';
  const trouble = troubleOf(state);
  if (trouble === undefined) return 'completed';
  const { progress } = trouble;
  const outcome = 'outcome' in progress ? progress.outcome : undefined;
  if (outcome === undefined) return 'open';
  const failure = failureOf(outcome)?.class;
  if (failure === 'contract-violation' || failure === 'verification-failed') return 'invalid';
  const { status } = outcome;
  return status === 'completed' ? 'open' : status;
}

/** The tasks whose work is on the run's branch: phases, or the single task of a command without phases. */
export function tasksDone({ tasks }: RunState): TaskState[] {
  return [...tasks.values()].filter(({ progress }) => progress.status === 'completed');
}

/** The new status of the backlog task; undefined to restore the previous one. */
export function statusAfter(state: RunState, isMerged: boolean): TaskStatus | undefined {
  const { command } = commandOf(state);
  const end = workEnd(state);
  switch (end) {
    case 'completed':
      return isMerged ? statuses[command]?.done : 'partial';
    case 'partial':
    case 'blocked':
      return end;
    case 'failed':
    case 'invalid':
    case 'cancelled':
    case 'open':
      // A finished phase counts, whatever became of the next one.
      return tasksDone(state).length > 0 ? 'partial' : undefined;
    default:
      return end satisfies never;
  }
}
