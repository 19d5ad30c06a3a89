/** Run report: a run's status as data, for every view of it. */
import { workspaceOf } from '../../core/state/current-workspace.ts';
import { defined } from '../../base/defined.ts';
import { unconfirmedCommands } from '../../core/decide/accept-commands.ts';
import { whyOf } from '../../core/state/checkpoint-why.ts';
import type { Finding } from '../../core/state/gate.ts';
import { openCheckpoints, type RunState } from '../../core/state/state.ts';
import { type CommandEnd, unfinishedEnd } from '../../core/workflow/command-end.ts';
import type { Unattributed, WorkspaceFacts } from '../../core/event/verification.ts';
import { type BaseReport, baseReports } from './base-text.ts';
import { type CheckpointQuestion, checkpointQuestion } from './checkpoint-question.ts';
import { featuresReport, type FeaturesReport } from './features-text.ts';
import type { Liveness } from './liveness.ts';
import type { ShownStatus } from './shown-status.ts';
import { type TaskReport, mergedFiles, taskReport } from './task-report.ts';

export interface RunReport {
  readonly run: string;
  readonly title: string;
  readonly status: ShownStatus;
  /** For a task command that did not complete. */
  readonly end?: CommandEnd;
  readonly reason?: string;
  readonly plan: string;
  readonly counts: Readonly<Record<string, number>>;
  /** The plan leaves out the reviews of waves and of the run; absent where they are done. */
  readonly reviews?: 'off';
  /** Absent where the run builds no features. */
  readonly features?: FeaturesReport;
  /** What the canary found that is worth knowing; absent where it is nothing. */
  readonly base?: readonly BaseReport[];
  readonly files: readonly string[];
  readonly tasks: readonly TaskReport[];
  /** Reviews and fixes. */
  readonly gates: readonly TaskReport[];
  readonly findings: readonly FindingReport[];
  /** Open checkpoints. */
  readonly checkpoints: readonly CheckpointQuestion[];
  /** Checkpoints that `--on-trouble reject` has answered; absent where there are none. */
  readonly unattended?: readonly { readonly checkpoint: string; readonly why: string }[];
  readonly spent: RunState['spent'];
  readonly budgets: RunState['created']['settings']['budgets'];
  readonly delegations: readonly DelegationReport[];
  /** Absent for a run without a branch. */
  readonly workspace?: WorkspaceReport;
  /** Changes in a shared checkout that anyone at work may have made; absent where there are none. */
  readonly unattributed?: readonly Unattributed[];
  /** Number of commands not run because no person has confirmed the plan; absent when zero. */
  readonly unconfirmed?: number;
}

export type FindingReport = Pick<Finding, 'id' | 'action' | 'report' | 'isFixed'>;

export interface WorkspaceReport extends Pick<WorkspaceFacts, 'kind' | 'branch' | 'base'> {
  /** The last commit the run knows of. */
  readonly head: string;
  /** Commits of tasks. */
  readonly commits: number;
  readonly files: number;
  /** Commits that no task made. */
  readonly foreign: number;
}

/** One running delegation. */
export interface DelegationReport {
  readonly delegation: string;
  readonly task: string;
  readonly agent: string;
  readonly attempt: number;
  readonly path: readonly string[];
  readonly depth: number;
  readonly since: number;
  readonly deadline: number;
  readonly repairs: number;
  readonly pid?: number;
  /** Absent where it was not probed. */
  readonly liveness?: Liveness;
}

export function runReport(state: RunState): RunReport {
  const counts: Record<string, number> = {};
  const files = new Set<string>();
  const unconfirmed = unconfirmedCommands(state);
  const features = featuresReport(state);
  const base = baseReports(state);
  const unattended = state.checkpoints
    .filter(({ isUnattended }) => isUnattended === true)
    .map((one) => ({ checkpoint: one.id, why: whyOf(state, one) }));
  for (const { progress } of state.tasks.values()) counts[progress.status] = (counts[progress.status] ?? 0) + 1;
  for (const task of [...state.tasks.values(), ...state.gateTasks.values()])
    for (const file of mergedFiles(state, task)) files.add(file);
  return {
    run: state.created.run,
    title: state.created.plan.title,
    status: state.status,
    ...defined({ end: unfinishedEnd(state) }),
    ...(state.reason === '' ? {} : { reason: state.reason }),
    plan: state.planFile,
    counts,
    ...defined({ reviews: state.created.settings.reviews, features }),
    ...(base.length === 0 ? {} : { base }),
    files: [...files].toSorted(),
    tasks: state.waves.flatMap(({ tasks }) => tasks.map((task) => taskReport(state, task))),
    gates: [...state.gateTasks.values()].map((task) => taskReport(state, task)),
    findings: [...state.findings.values()].map(({ id, action, report, isFixed }) => {
      return { id, action, isFixed, ...defined({ report }) };
    }),
    checkpoints: openCheckpoints(state).map((one) => checkpointQuestion(state, one)),
    ...(unattended.length === 0 ? {} : { unattended }),
    spent: state.spent,
    budgets: state.created.settings.budgets,
    ...(unconfirmed === 0 ? {} : { unconfirmed }),
    ...(state.unattributed.length === 0 ? {} : { unattributed: state.unattributed }),
    delegations: [...state.active.values()].map(delegationReport),
    ...workspaceReport(state),
  };
}

/** Adds the liveness of running delegations. */
export function withLiveness(report: RunReport, seen: ReadonlyMap<string, Liveness>): RunReport {
  const delegations = report.delegations.map((row) => {
    const liveness = seen.get(row.delegation);
    return liveness === undefined ? row : { ...row, liveness };
  });
  return { ...report, delegations };
}

type Active = RunState['active'] extends Map<unknown, infer One> ? One : never;

function delegationReport({ registered, deadline, pid, repairs }: Active): DelegationReport {
  const { delegation, task, agent, attempt, path, at } = registered;
  const row = { delegation, task, agent, attempt, path, depth: path.length - 2, since: at, deadline, repairs };
  return pid === null ? row : { ...row, pid };
}

function workspaceReport(state: RunState): Pick<RunReport, 'workspace'> {
  const { head, foreign, tasks, gateTasks } = state;
  const workspace = workspaceOf(state);
  if (workspace === undefined) return {};
  const { kind, branch, base } = workspace;
  const merged = [...tasks.values(), ...gateTasks.values()].filter(({ attempt }) => (attempt?.commit ?? null) !== null);
  const files = new Set(merged.flatMap((task) => mergedFiles(state, task)));
  return { workspace: { kind, branch, base, head: head ?? base, commits: merged.length, files: files.size, foreign } };
}
