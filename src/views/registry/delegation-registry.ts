/**
 * Delegation registry: the running delegations, their deadlines, and the stage of the command that started them. Derived from
 * the ledger alone.
 */
import { type CommandEnd, unfinishedEnd } from '../../core/workflow/command-end.ts';
import { defined } from '../../base/defined.ts';
import type { ShownStatus } from '../run/shown-status.ts';
import { continueText } from '../text/typed-commands.ts';
import { type RunKind, rulesOf, runKind, startCommand, workflowAs } from '../../core/event/run-kind.ts';
import { depthOf } from '../../delegation/path.ts';
import { type ActiveDelegation, findTask, isOver, type RunState, type RunStatus } from '../../core/state/state.ts';
import {
  type CommandStage,
  type CommandState,
  commandStages,
  type PostflightFact,
  postflightFacts,
} from '../../core/event/workflow-step.ts';

/** One delegation that has not ended. */
export interface RegistryDelegation {
  readonly session: string;
  readonly run: string;
  readonly command: string;
  readonly agent: string;
  /** Id within the run; `number` is the backlog task. */
  readonly task: string;
  readonly number?: number;
  readonly language?: string;
  readonly path: readonly string[];
  readonly depth: number;
  readonly began: number;
  readonly deadline: number;
  /** Milliseconds; negative after the deadline. */
  readonly left: number;
  readonly status: 'running' | 'repairing' | 'interrupted';
  readonly pid?: number;
}

/** Completed postflight steps; `notes` has details, such as why there is no commit. */
export interface PostflightRecord {
  readonly syncInvoked: boolean;
  readonly syncCompleted: boolean;
  readonly todoUpdated: boolean;
  readonly stateUpdated: boolean;
  readonly commitCreated: boolean;
  /** Null before postflight begins and after it ends. */
  readonly next: PostflightFact | null;
  readonly notes: { readonly [Fact in PostflightFact]?: string };
}

export interface CommandRecord {
  readonly current: CommandStage | null;
  readonly completed: readonly CommandStage[];
  /** Stages passed over by a later stage or by the end of the command. */
  readonly skipped: readonly CommandStage[];
  readonly notes: { readonly [Stage in CommandStage]?: string };
  readonly postflight: PostflightRecord;
}

export interface RegistryRun {
  readonly run: string;
  readonly kind: RunKind;
  /** `research`, `implement` … of a backlog task; `plan` and `feature` of a description; `run` of a plan. */
  readonly command: string;
  readonly number?: number;
  readonly language?: string;
  readonly title: string;
  readonly status: ShownStatus;
  /** For a task command that did not complete. */
  readonly end?: CommandEnd;
  readonly reason?: string;
  readonly began: number;
  readonly changed: number;
  readonly delegations: readonly RegistryDelegation[];
  /** Tasks whose agents have ended and whose work is being verified or merged. */
  readonly settling: readonly { readonly task: string; readonly status: string }[];
  /** Absent for a run that is not a task command. */
  readonly stages?: CommandRecord;
}

export interface RegistryLook {
  readonly now: number;
  /** Shown of the run. */
  readonly status: ShownStatus;
}

export function registryRun(state: RunState, look: RegistryLook): RegistryRun {
  const { created, reason, index, lastAt, active } = state;
  const { run, plan } = created;
  const about = aboutOf(state);
  return {
    run,
    kind: runKind(created),
    ...about,
    title: workflowAs(created, 'command')?.title ?? plan.title,
    status: look.status,
    ...defined({ end: unfinishedEnd(state) }),
    ...(reason === '' ? {} : { reason }),
    began: created.at,
    changed: lastAt,
    delegations: Array.from(active.values(), (one) => rowOf(state, one, look)),
    settling: Array.from(index.settling.values(), ({ planned, progress }) => ({
      task: planned.id,
      status: progress.status,
    })),
    ...(rulesOf(created).hasStages ? { stages: commandRecord(state.command, state.status) } : {}),
  };
}

type About = Pick<RegistryRun, 'command' | 'number' | 'language'>;

function aboutOf({ created }: RunState): About {
  const task = workflowAs(created, 'command');
  return { command: startCommand(created), ...defined({ number: task?.number, language: task?.language }) };
}

function rowOf(state: RunState, active: ActiveDelegation, look: RegistryLook): RegistryDelegation {
  const { registered, deadline, pid } = active;
  const { delegation, agent, task, path, at } = registered;
  const isRepairing = findTask(state, task)?.progress.status === 'repairing';
  return {
    session: delegation,
    run: state.created.run,
    ...aboutOf(state),
    agent,
    task,
    path,
    depth: depthOf(path),
    began: at,
    deadline,
    left: deadline - look.now,
    status: continueText(look.status, '') === undefined ? (isRepairing ? 'repairing' : 'running') : 'interrupted',
    ...(pid === null ? {} : { pid }),
  };
}

/** A cancelled command owes no further stage; any other end owes all seven. */
function commandRecord(command: CommandState, status: RunStatus): CommandRecord {
  const { reached } = command;
  const been = new Set(reached.map(({ stage }) => stage));
  const current = reached.at(-1)?.stage ?? null;
  const isEnded = isOver(status) && status !== 'cancelled';
  const furthest = Math.max(...reached.map(({ stage }) => commandStages.indexOf(stage)), -1);
  const due = isEnded ? commandStages : commandStages.slice(0, furthest);
  const postflight = postflightRecord(command);
  const isDone = (stage: CommandStage): boolean =>
    stage !== current || isEnded || (stage === 'postflight' && postflight.next === null);
  return {
    current,
    completed: commandStages.filter((stage) => been.has(stage) && isDone(stage)),
    skipped: due.filter((stage) => !been.has(stage)),
    notes: Object.fromEntries(reached.flatMap(({ stage, note }) => (note === '' ? [] : [[stage, note]]))),
    postflight,
  };
}

function postflightRecord({ reached, facts }: CommandState): PostflightRecord {
  const isDone = (fact: PostflightFact): boolean => facts[fact]?.done === true;
  const syncInvoked = reached.some(({ stage }) => stage === 'postflight');
  const noted = postflightFacts.flatMap((fact) => {
    const note = facts[fact]?.note ?? '';
    return note === '' ? [] : [[fact, note] as const];
  });
  return {
    syncInvoked,
    syncCompleted: isDone('sync'),
    todoUpdated: isDone('todo'),
    stateUpdated: isDone('state'),
    commitCreated: isDone('commit'),
    next: syncInvoked ? (postflightFacts.find((fact) => facts[fact] === undefined) ?? null) : null,
    notes: Object.fromEntries(noted),
  };
}
