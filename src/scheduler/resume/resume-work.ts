/**
 * Prepares a run to be resumed. Applies the edits of its plan; reopens finished work that has changed, whose files are gone or that
 * no longer passes verification; records other drift.
 */
import { rulesOf } from '../../core/event/run-kind.ts';
import type { ResumeFrom } from '../../project/resume-words.ts';
import type { Agents } from '../../agents/registry.ts';
import { divisiError } from '../../base/error.ts';
import { isEditAsked, isEditUnanswered } from '../../core/decide/decide-edits.ts';
import type { NewEvent } from '../../core/event/event.ts';
import { withDependents } from '../../core/decide/with-dependents.ts';
import type { PlannedTask } from '../../core/event/planned-task.ts';
import { isAboutFeatures } from '../../core/state/hold.ts';
import { type CheckpointState, isOver, type RunState } from '../../core/state/state.ts';
import { workspaceOf } from '../../core/state/current-workspace.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { asksForSame } from '../../core/attempt/work-key.ts';
import { parsePlan } from '../../plan/parse-plan.ts';
import { faultText } from '../../plan/plan-fault.ts';
import type { BranchFiles } from '../../run-work/find-drift.ts';
import { judgeDrift, type VerifyAgain } from '../../run-work/judge-drift.ts';
import { planEdited } from '../plan-file/plan-edited.ts';
import { findPlanFile, readPlanText } from '../../project/plan-file.ts';
import { takeEdit } from '../take-happening.ts';

export interface ResumeDeps {
  readonly project: string;
  readonly agents: Agents;
  /** The run's branch as it is now. */
  readonly branch: BranchReader;
  readonly from?: ResumeFrom;
  readonly skipFailed?: boolean;
  /** Verifies finished work on the current branch; undefined when it was stopped. */
  readonly verifyAgain: VerifyAgain;
  /** The current work key of each task. */
  readonly keys: () => ReadonlyMap<string, string>;
  /** Applies the event; all events become durable together or not at all. */
  readonly record: (event: NewEvent) => void;
}

export interface BranchReader extends BranchFiles {
  head(): Promise<string>;
  /** Counts the commits of the merge under way and those of others. */
  countSince(from: string, to: string): Promise<{ readonly own: number; readonly others: number }>;
}

export async function resumeWork(state: RunState, deps: ResumeDeps): Promise<void> {
  const { from, skipFailed, record } = deps;
  if (from !== undefined) checkStart(state, from, skipFailed === true);
  await takeOverEdits(state, deps);
  if (!isGrown(state)) reopen(state, otherWork(state, deps.keys()), 'the task has changed', record);
  if (!(await lookAtBranch(state, deps))) return;
  if (from !== undefined)
    reopen(state, startOf(state, from), `from ${'wave' in from ? `wave ${from.wave}` : from.task}`, record);
  if (skipFailed === true) for (const event of leavings(state)) record(event);
}

/**
 * Each step of features was decided by the results before it: none is repeated automatically. The next review finds what is
 * missing.
 */
function isGrown({ created }: RunState): boolean {
  return rulesOf(created).grows;
}

/** Reopens tasks together with their dependents. */
function reopen(state: RunState, tasks: Iterable<string>, why: string, record: ResumeDeps['record']): void {
  const isBegun = (id: string): boolean => (state.tasks.get(id)?.progress.status ?? 'pending') !== 'pending';
  const all = [...withDependents(state, tasks)].filter(isBegun);
  if (all.length > 0) record({ kind: 'work.reopened', tasks: all, why });
}

async function takeOverEdits(state: RunState, { project, agents, from, record }: ResumeDeps): Promise<void> {
  if (state.planFile === '') return;
  const file = await findPlanFile(project, state.planFile);
  const found = await readPlanText(`${project}/${file}`, file).catch(() => undefined);
  // An edit that was too late before may be in time for a restart.
  const isKnown = found !== undefined && state.planHashes.includes(found.hash);
  if (found === undefined || (from === undefined && isKnown && !isEditUnanswered(state))) return;
  const reading = parsePlan(found.text, file);
  const now = reading.ok ? reading.document.plan : { fault: faultText(reading.faults) };
  const edit = planEdited(state, { file, hash: found.hash, marks: new Map(), now }, agents);
  const amendments = [...edit.amendments, ...edit.toConfirm];
  // The file is unchanged, and no earlier edit can be applied now.
  if (isKnown && amendments.length === 0 && !isEditAsked(state)) return;
  const changed = amendments.flatMap((one) => (one.kind === 'change' && !isSame(state, one.task) ? [one.task.id] : []));
  reopen(state, changed, 'changed in the plan', record);
  takeEdit(state, edit, record);
}

function isSame({ tasks }: RunState, now: PlannedTask): boolean {
  const task = tasks.get(now.id);
  return task !== undefined && asksForSame({ ...task.planned, wave: task.wave }, { ...now, wave: task.wave });
}

function otherWork({ tasks }: RunState, keys: ReadonlyMap<string, string>): string[] {
  const isOther = ([id, { key, progress }]: [string, TaskState]): boolean =>
    progress.status === 'completed' && key !== null && keys.get(id) !== key;
  return [...tasks].filter(isOther).map(([id]) => id);
}

/**
 * Trusts finished work where only the run has moved its branch. Otherwise reopens work whose files are gone or that no longer
 * passes verification. False when it was stopped: the next resume finds the same.
 */
async function lookAtBranch(state: RunState, deps: ResumeDeps): Promise<boolean> {
  const { branch, record } = deps;
  const head = await branch.head();
  const known = state.head ?? workspaceOf(state)?.base ?? head;
  const { own, others } = await branch.countSince(known, head);
  // Only the merge under way has finished: the next merge step finds it.
  if (head === known || (own > 0 && others === 0)) return true;
  const judged = await judgeDrift(state, head, { branch, verifyAgain: deps.verifyAgain, isJudged: !isGrown(state) });
  if (judged === undefined) return false;
  const { files, stale } = judged;
  record({ kind: 'work.drifted', head, files, ...(others === 0 ? {} : { foreign: others }) });
  for (const [why, tasks = []] of Object.entries(Object.groupBy(stale, (one) => one.why))) {
    reopen(
      state,
      tasks.map(({ task }) => task),
      why,
      record,
    );
  }
  return true;
}

function startOf(state: RunState, from: ResumeFrom): string[] {
  if ('task' in from) return [from.task];
  return state.waves
    .filter(({ inPlan }) => inPlan >= from.wave)
    .flatMap(({ tasks }) => tasks.map(({ planned }) => planned.id));
}

/** Rejects the retries of failed tasks. */
function leavings({ checkpoints, status }: RunState): NewEvent[] {
  if (isOver(status)) return [];
  const isLeft = (one: CheckpointState): boolean =>
    one.kind === 'failure' || one.kind === 'breaker' || isAboutFeatures(one);
  const open = checkpoints.filter((one) => one.status === 'open' && isLeft(one));
  return open.map(({ id }) => {
    return { kind: 'checkpoint.answered', checkpoint: id, approved: false, note: 'skip failed', by: 'person' };
  });
}

function checkStart(state: RunState, from: ResumeFrom, skipFailed: boolean): void {
  const { run } = state.created;
  if (isGrown(state)) {
    throw divisiError('RESUME_NOT_READY', {
      message: `${run} builds features: each of its steps depends on the one before`,
      next: `\`divisi resume ${run}\` continues where it stopped; \`divisi feature "…"\` starts over.`,
      ids: { run },
    });
  }
  const missing = 'wave' in from ? beforeWave(state, from.wave) : beforeTask(state, from.task);
  const known = 'wave' in from ? state.waves.some(({ inPlan }) => inPlan === from.wave) : state.tasks.has(from.task);
  if (!known) {
    throw divisiError('TASK_UNKNOWN', {
      message: `${run} has no ${'wave' in from ? `wave ${from.wave}` : `task ${from.task}`}`,
      next: `\`divisi show ${run}\` shows its waves and tasks.`,
      ids: { run },
    });
  }
  const open = missing.filter(({ progress }) => progress.status !== 'completed');
  const inTheWay = skipFailed ? open.filter(({ progress }) => progress.status === 'pending') : open;
  if (inTheWay.length === 0) return;
  const shown = inTheWay.slice(0, 10).map(({ planned, progress }) => `${planned.id} (${progress.status})`);
  throw divisiError('RESUME_NOT_READY', {
    message: `earlier work has not completed: ${shown.join(', ')}${inTheWay.length > 10 ? ' and more' : ''}`,
    next: `\`divisi resume ${run}\` finishes it first${skipFailed ? '' : '; `--skip-failed` continues past failed tasks'}.`,
    ids: { run },
  });
}

function beforeWave({ waves }: RunState, number: number): TaskState[] {
  return waves.filter(({ inPlan }) => inPlan < number).flatMap(({ tasks }) => tasks);
}

function beforeTask({ tasks, waves }: RunState, id: string): TaskState[] {
  const after = tasks.get(id)?.planned.after ?? [];
  return after.flatMap((one) => {
    if ('wave' in one) return waves[one.wave - 1]?.tasks ?? [];
    const task = tasks.get(one.task);
    return task === undefined ? [] : [task];
  });
}
