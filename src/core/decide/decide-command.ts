/** Decides the stages of a task command around its delegations; postflight runs step by step. */
import { oneLine } from '../../base/text.ts';
import { rulesOf } from '../event/run-kind.ts';
import { type Decision, record } from './decision.ts';
import { failureOf } from '../event/make-outcome.ts';
import type { RunState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import { beforeAgents, type CommandStage, postflightFacts } from '../event/workflow-step.ts';

function lastStage({ command }: RunState): CommandStage | undefined {
  return command.reached.at(-1)?.stage;
}

/** Reached before the first delegation. */
export function beginInvocation(state: RunState): readonly Decision[] {
  if (!rulesOf(state.created).hasStages || !beforeAgents.has(lastStage(state))) return [];
  const agents = new Set(Array.from(state.tasks.values(), ({ planned }) => planned.agent));
  return [record({ kind: 'stage.reached', stage: 'invocation', note: [...agents].join(', ') })];
}

/** Runs once every delegation has ended. Returns nothing when the run may end. */
export function endCommand(state: RunState): readonly Decision[] {
  if (!rulesOf(state.created).hasStages) return [];
  if (lastStage(state) === 'invocation') {
    return [record({ kind: 'stage.reached', stage: 'validation', note: validationNote(state) })];
  }
  if (lastStage(state) === 'validation') {
    return [record({ kind: 'stage.reached', stage: 'postflight', note: '' })];
  }
  const due = postflightFacts.find((one) => state.command.facts[one] === undefined);
  if (due === undefined) return [];
  return [{ kind: 'step', step: { purpose: 'postflight', key: `postflight:${due}`, fact: due } }];
}

function validationNote({ tasks }: RunState): string {
  const faults = Array.from(tasks.values(), faultOf).filter((one) => one !== undefined);
  return faults[0] ?? 'accepted';
}

function faultOf({ planned, progress }: TaskState): string | undefined {
  if (progress.status === 'completed' || progress.status === 'skipped') return undefined;
  const failure = 'outcome' in progress ? failureOf(progress.outcome) : undefined;
  const why = failure === undefined ? '' : `: ${failure.class}: ${oneLine(failure.message, 300)}`;
  return `${planned.id} ${progress.status}${why}`;
}
