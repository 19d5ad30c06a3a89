/** How a command has come to its end, and what that makes of the backlog task. */
import { workflowAs } from '../event/run-kind.ts';
import type { TaskStatus } from '../../todo/task-status.ts';
import { failureOf } from '../event/make-outcome.ts';
import type { RunState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import type { CommandWorkflow } from '../event/workflow.ts';

/** Of a backlog task while the command is at work on it, and when it is done; a review changes nothing. */
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
 * `invalid`: what the agent returned was not accepted, or what it claims is not there. `failed`: it says so itself, or could not
 * even work. `open`: the command has not come to its end.
 */
export type CommandEnd = 'completed' | 'partial' | 'blocked' | 'failed' | 'invalid' | 'cancelled' | 'open';

export const commandOf = ({ created }: RunState): CommandWorkflow => {
  const workflow = workflowAs(created, 'command');
  if (workflow === undefined) throw new Error(`${created.run} does not run a task command`);
  return workflow;
};

/** The first that stands in the way of the others. */
export function troubleOf({ tasks }: RunState): TaskState | undefined {
  const isTrouble = ({ progress: { status } }: TaskState): boolean => status !== 'completed' && status !== 'skipped';
  return [...tasks.values()].find(isTrouble);
}

/** Its agents have ended, and what they did could not come into the user's checkout: the same command tries that again. */
export function isStranded({ command, head }: RunState): boolean {
  return head !== null && command.facts.sync?.done === false;
}

export function commandEnd(state: RunState): CommandEnd {
  const end = workEnd(state);
  return end === 'completed' && isStranded(state) ? 'partial' : end;
}

/** Of its agents alone. */
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

/** Those whose work is in the run's branch: phases, or the one task of a command without any. */
export function tasksDone({ tasks }: RunState): TaskState[] {
  return [...tasks.values()].filter(({ progress }) => progress.status === 'completed');
}

/** What the backlog task is from now on; undefined where it gets back what it was before. */
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
      // A phase that is done is done, whatever became of the next one.
      return tasksDone(state).length > 0 ? 'partial' : undefined;
    default:
      return end satisfies never;
  }
}
