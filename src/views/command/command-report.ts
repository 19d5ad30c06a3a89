/** Command report: the outcome of a task command as data. Agents' words are flattened and cut. */
import { workspaceOf } from '../../core/state/current-workspace.ts';
import { failureOf } from '../../core/event/make-outcome.ts';
import { defined } from '../../base/defined.ts';
import { oneLine } from '../../base/text.ts';
import {
  type CommandEnd,
  commandEnd,
  commandOf,
  isStranded,
  tasksDone,
  troubleOf,
} from '../../core/workflow/command-end.ts';
import type { Failure, ReportedError, StructuredResult } from '../../core/event/outcome.ts';
import type { RunState } from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { type PostflightFact, postflightFacts } from '../../core/event/workflow-step.ts';
import { filesOf } from '../../delegation/delegation-files.ts';
import { recommendationFor } from '../run/error-entries.ts';
import { findingText } from '../run/proof-text.ts';

export interface CommandReport {
  readonly command: string;
  readonly number: number;
  readonly title: string;
  readonly run: string;
  /** `open` while the command runs or is paused. */
  readonly end: CommandEnd;
  /** Status of the backlog task; absent until recorded. */
  readonly status?: string;
  readonly agents: readonly string[];
  readonly sessions: readonly string[];
  readonly summary: string;
  /** Relative to the project. Files of an attempt that did not complete are below its folder, `trouble.folder`. */
  readonly artifacts: readonly string[];
  /** Absent for work without phases. */
  readonly phases?: { readonly done: readonly string[]; readonly open: readonly string[] };
  /** In the words of the agent that ended last. */
  readonly nextSteps?: string;
  readonly commit?: string;
  readonly trouble?: CommandTrouble;
  /** Postflight steps that failed. */
  readonly undone: readonly { readonly fact: PostflightFact; readonly why: string }[];
  readonly degraded: readonly string[];
  readonly next: readonly string[];
}

export interface CommandTrouble {
  readonly task: string;
  readonly agent: string;
  readonly session: string;
  readonly class: string;
  /** One line each. */
  readonly violations: readonly string[];
  readonly recommendation: string;
  /** As the agent reports them; for one that did not return, as Divisi does. */
  readonly errors: readonly ReportedError[];
  /** Files it left in its folder, relative to the project. */
  readonly left: readonly string[];
  /** Path of the raw return, relative to the project's state folder. */
  readonly returned?: string;
  /** Folder of work that is not merged. */
  readonly folder?: string;
}

export function commandReport(state: RunState): CommandReport {
  const { command, number, title, before } = commandOf(state);
  const tasks = [...state.tasks.values()];
  const { sync, commit } = state.command.facts;
  const end = commandEnd(state);
  // Cancelling restores the task's status without a recorded step.
  const unwritten = isStranded(state) ? 'partial' : end === 'cancelled' ? before : undefined;
  const status = sync?.done === true ? sync.note : unwritten;
  const trouble = commandTrouble(state);
  const outcomes = tasks.flatMap(({ progress }) => ('outcome' in progress ? (progress.outcome ?? []) : []));
  const nextSteps = outcomes.at(-1)?.structuredResult?.nextSteps;
  return {
    command,
    number,
    title: oneLine(title, 120),
    run: state.created.run,
    end,
    ...defined({ status }),
    agents: [...new Set(tasks.map(({ planned }) => planned.agent))],
    sessions: tasks.flatMap(({ attempt }) => attempt?.delegation ?? []),
    summary: oneLine(outcomes.findLast(({ summary }) => summary !== '')?.summary ?? '', 500),
    artifacts: [...commandArtifacts(state).map(({ path }) => path), ...leftArtifacts(state)],
    ...(tasks.length > 1 || tasks.some(isPhase) ? { phases: phasesOf(state) } : {}),
    ...defined({ nextSteps }),
    ...(commit?.done === true ? { commit: commit.note } : {}),
    ...defined({ trouble }),
    undone: undoneOf(state),
    degraded: [...new Set(outcomes.flatMap(({ degraded }) => degraded))],
    next: nextCalls(state),
  };
}

/** A commit is not missing where there was nothing to commit. */
function undoneOf(state: RunState): CommandReport['undone'] {
  const { facts } = state.command;
  const isMissed = (fact: PostflightFact): boolean =>
    facts[fact]?.done === false &&
    !(fact === 'commit' && state.head === null && commandEnd(state) !== 'completed') &&
    // The commit says the same.
    !(fact === 'sync' && isStranded(state));
  return postflightFacts.filter(isMissed).map((fact) => ({ fact, why: facts[fact]?.note ?? '' }));
}

const isPhase = ({ planned: { id } }: TaskState): boolean => id.includes('.');

function phasesOf(state: RunState): NonNullable<CommandReport['phases']> {
  const done = new Set(tasksDone(state));
  const ids = (isDone: boolean): string[] =>
    [...state.tasks.values()].filter((task) => done.has(task) === isDone).map(({ planned }) => planned.id);
  return { done: ids(true), open: ids(false) };
}

/** Documents of merged work in the backlog task's folder, each once. */
export function commandArtifacts(state: RunState): StructuredResult['artifacts'] {
  const { folder } = commandOf(state);
  const named = tasksDone(state).flatMap(({ progress }) =>
    'outcome' in progress ? (progress.outcome?.structuredResult?.artifacts ?? []) : [],
  );
  const inFolder = named.filter(({ path }) => path.startsWith(`${folder}/`));
  return [...new Map(inFolder.map((one) => [one.path, one])).values()];
}

/** Documents that an unfinished attempt left: those it names, and those in the backlog task's folder. */
function leftArtifacts(state: RunState): string[] {
  const task = troubleOf(state);
  const room = task?.attempt?.room;
  if (task === undefined || room === null || room === undefined || !('outcome' in task.progress)) return [];
  const { left = [], structuredResult } = task.progress.outcome ?? {};
  const named = new Set(structuredResult?.artifacts.map(({ path }) => path));
  const { folder } = commandOf(state);
  const place = [room.folder, workspaceOf(state)?.prefix ?? ''].filter((part) => part !== '').join('/');
  const isDocument = (path: string): boolean => named.has(path) || path.startsWith(`${folder}/`);
  return left.filter(isDocument).map((path) => `${place}/${path}`);
}

export function commandTrouble(state: RunState): CommandTrouble | undefined {
  const task = troubleOf(state);
  if (task === undefined || !('outcome' in task.progress)) return undefined;
  const { planned, wave, attempt } = task;
  const { run } = state.created;
  const { command, number } = commandOf(state);
  const { outcome } = task.progress;
  if (outcome === undefined || attempt === null) return undefined;
  const { delegation, room, verification } = attempt;
  const failure = failureOf(outcome);
  const rejecting = verification?.findings.filter(({ rejects }) => rejects) ?? [];
  const said = failure === undefined ? 'it did not complete' : oneLine(failure.message, 400);
  const returned = filesOf(run, wave, planned.id, delegation).output;
  const isInvalid = commandEnd(state) === 'invalid';
  const facts = {
    agent: planned.agent,
    again: `divisi ${command} ${number}`,
    logs: `${run}/${planned.id}`,
    isCommand: true,
  };
  const status = outcome.status === 'completed' ? 'failed' : outcome.status;
  const advice = recommendationFor({ type: failure?.class ?? 'unknown', status }, facts);
  return {
    task: planned.id,
    agent: planned.agent,
    session: delegation,
    class: failure?.class ?? 'unknown',
    violations: rejecting.length > 0 ? rejecting.map((one) => oneLine(findingText(one), 300)) : [said],
    recommendation: advice,
    errors: outcome.structuredResult?.errors ?? [errorOf(failure, advice)],
    left: outcome.left ?? [],
    ...(isInvalid ? { returned } : {}),
    ...(room === null ? {} : { folder: room.folder }),
  };
}

/** Failures that the same command may get past. */
function errorOf(failure: Failure | undefined, advice: string): ReportedError {
  const { class: type = 'unknown', message = 'it did not complete' } = failure ?? {};
  return { type, message: oneLine(message, 400), recoverable: type !== 'agent-error', recommendation: advice };
}

const after: Readonly<Record<string, (number: number) => string[]>> = {
  research: (number) => [`divisi plan ${number}`],
  plan: (number) => [`divisi implement ${number}`],
  revise: (number) => [`divisi implement ${number}`],
  implement: (number) => [`divisi review ${number}`, 'divisi todo'],
  review: (number) => [`divisi task show ${number}`],
};

function nextCalls(state: RunState): string[] {
  const { command, number } = commandOf(state);
  const end = commandEnd(state);
  return end === 'completed' ? (after[command]?.(number) ?? []) : [`divisi ${command} ${number}`];
}
