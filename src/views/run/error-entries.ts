/** Error entries: the attempts of a run that did not complete, as entries of `.divisi/errors.json`. Agents' words are flattened and cut. */
import { defined } from '../../base/defined.ts';
import { oneLine } from '../../base/text.ts';
import type { RunEvent } from '../../core/event/event.ts';
import type { ReportedError } from '../../core/event/outcome.ts';
import { runKind, startCommand, workflowAs } from '../../core/event/run-kind.ts';
import type { RunState } from '../../core/state/state.ts';
import type { Account, TaskState } from '../../core/state/task-state.ts';
import { filesOf } from '../../delegation/delegation-files.ts';
import { findingText } from './proof-text.ts';
import { resumeCommand } from '../text/typed-commands.ts';

export interface ErrorEntry {
  readonly at: string;
  /** The first word of the command line: `run`, `research`, `feature` … */
  readonly command: string;
  readonly agent: string;
  readonly session: string;
  /** The number of a backlog task, or the id of a task of the run. */
  readonly task: number | string;
  readonly run: string;
  /** The class of the failure. */
  readonly type: string;
  readonly violations: readonly string[];
  readonly recoverable: boolean;
  readonly recommendation: string;
  /** As the agent reports them. */
  readonly errors?: readonly ReportedError[];
  readonly nextSteps?: string;
  /** The files it left. */
  readonly left?: readonly string[];
  /** Absolute path of the raw return. */
  readonly return: string;
}

/** The task whose attempt this event ends without success, if any. */
export function failedTask(event: RunEvent): string | undefined {
  if (event.kind === 'task.conflicted') return event.task;
  if (event.kind === 'task.verified') return event.verification.verdict === 'rejected' ? event.task : undefined;
  const isFailure =
    event.kind === 'delegation.ended' && event.end !== 'cancelled' && event.outcome.status !== 'completed';
  return isFailure ? event.task : undefined;
}

/** `stateFolder` is absolute. */
export function errorEntries(
  state: RunState,
  { planned, wave, failures, attempt, attempts }: TaskState,
  stateFolder: string,
): ErrorEntry[] {
  const { run } = state.created;
  const about = workflowAs(state.created, 'command');
  const again =
    about === undefined ? resumeCommand(run, runKind(state.created)) : `divisi ${about.command} ${about.number}`;
  return failures.flatMap((failure): ErrorEntry[] => {
    const { class: type, message, status, delegation, at, errors, nextSteps, left } = failure;
    if (delegation === undefined || at === undefined || type === 'cancelled' || type === 'lost') return [];
    const verification = failure.attempt === attempts ? attempt?.verification : undefined;
    const found = verification?.findings.filter(({ rejects }) => rejects).map(findingText) ?? [];
    const facts = { agent: planned.agent, again, logs: `${run}/${planned.id}`, isCommand: about !== undefined };
    return [
      {
        at: new Date(at).toISOString(),
        command: startCommand(state.created),
        agent: planned.agent,
        session: delegation,
        task: about?.number ?? planned.id,
        run,
        type,
        violations: (found.length > 0 ? found : [message]).map((one) => oneLine(one, 400)),
        recoverable: errors?.every((one) => one.recoverable) ?? type !== 'agent-error',
        recommendation: recommendationFor({ type, status }, facts),
        ...defined({ errors, nextSteps, left }),
        return: `${stateFolder}/${filesOf(run, wave, planned.id, delegation).output}`,
      },
    ];
  });
}

interface RecommendationFacts {
  readonly agent: string;
  /** The command line that tries again. */
  readonly again: string;
  /** The argument of `divisi logs`. */
  readonly logs: string;
  readonly isCommand: boolean;
}

/** What a person can do about a failed attempt. */
export function recommendationFor(
  { type, status }: { readonly type: string; readonly status: Account['status'] },
  { agent, again, logs, isCommand }: RecommendationFacts,
): string {
  if (type === 'contract-violation') {
    const contract = isCommand ? '`divisi contract show structured-return`' : 'its contract (`divisi agents` names it)';
    return `Fix ${agent}: its return must match ${contract}, and the files it names must exist. Then run ${again}.`;
  }
  if (type === 'verification-failed') {
    return `Verification rejected its work. ${again} continues from it and gives ${agent} the findings.`;
  }
  if (type === 'limit') {
    return `${again} continues from what is there, with the same limits; \`limits\` in .divisi/config.yaml raises them.`;
  }
  switch (status) {
    case 'partial':
      return `${again} continues from what is there${isCommand ? '; --timeout SECONDS gives it more time' : ''}.`;
    case 'blocked':
      return `Remove the blocker, then run ${again}.`;
    case 'failed':
      return `\`divisi logs ${logs}\` shows what it did. Then run ${again}.`;
    default:
      return status satisfies never;
  }
}
