/** Checkpoint question: what a person is asked, what yes and no do, and the evidence. */
import { failureOf } from '../../core/event/make-outcome.ts';
import { oneLine } from '../../base/text.ts';
import { rulesOf, runKind, workflowAs } from '../../core/event/run-kind.ts';
import { workspaceOf } from '../../core/state/current-workspace.ts';
import { whyOf } from '../../core/state/checkpoint-why.ts';
import { approvalOfTask, signatureOfTask } from '../../core/state/failure-of.ts';
import { needKey } from '../../core/features/feature-graph.ts';
import { featuresOf } from '../../core/features/features-of.ts';
import {
  askedTask,
  type CheckpointOf,
  type CheckpointState,
  currentWave,
  findTask,
  mostRepairs,
  type RunState,
  waveAt,
} from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { mostRounds } from '../../gates/gate-steps.ts';
import { amendmentChanges } from './amendment-changes.ts';
import { terminalText } from '../text/escape.ts';
import { counted } from '../text/quantity.ts';
import { taskClaims, taskNotes } from './note-lines.ts';
import { mergedFiles } from './task-report.ts';
import { proofLines } from './proof-text.ts';

export interface CheckpointQuestion {
  readonly checkpoint: string;
  readonly kind: CheckpointState['kind'];
  readonly why: string;
  readonly approve: string;
  readonly reject: string;
  /** Tasks completed in the wave, or in the whole run where it concerns no wave. */
  readonly completed: readonly string[];
  readonly files: readonly string[];
  /** Findings of reviews: fixed, deferred, or open. */
  readonly issues: readonly string[];
  /** Degraded, skipped and failed tasks. */
  readonly concerns: readonly string[];
  /** Notes of its agents to others, each with its task. */
  readonly notes: readonly string[];
  /** How many criteria each report claims to meet, and those that it does not. */
  readonly claims: readonly string[];
  /** Findings against the failed task, or both sides of its conflict. */
  readonly evidence: readonly string[];
  /** Changes an edit of the plan would make. */
  readonly changes: readonly string[];
  /** Commands to use instead of an answer. */
  readonly otherwise: readonly string[];
}

/** The consequence of each answer. */
export function answersOf(
  state: RunState,
  checkpoint: CheckpointState,
): { readonly approve: string; readonly reject: string } {
  switch (checkpoint.kind) {
    case 'planned':
      return { approve: 'continue the run', reject: 'stop the run here' };
    case 'review':
      return { approve: 'accept as is and continue', reject: afterRejectedReview(state, checkpoint.gate) };
    case 'failure':
      return {
        approve: acceptsWork(state, checkpoint) ? 'accept the work as done' : 'retry (--note TEXT instructs the agent)',
        reject: 'leave it failed, skip its dependents, continue with the rest',
      };
    case 'breaker':
      return {
        approve: afterBreaker(state, checkpoint),
        reject: 'leave them failed, skip their dependents, continue with the rest',
      };
    case 'base':
      return {
        approve: 'continue: known-red commands reject work only for failures that the base does not have',
        reject: 'stop the run here',
      };
    case 'budget':
      return checkpoint.task === undefined
        ? { approve: 'grant the same budget again', reject: 'stop the run here' }
        : {
            approve: 'grant the same budget again and retry',
            reject: 'leave it failed, skip its dependents, continue with the rest',
          };
    case 'disk':
      return { approve: 'continue anyway, for the rest of the run', reject: 'stop the run here' };
    case 'edit':
      return { approve: 'apply the edit', reject: 'keep the plan as it was' };
    case 'feature':
      return {
        approve: 'accept as is and continue',
        reject:
          'halt the feature and its dependents, continue with the others; with --note TEXT: fix it once more as the note says',
      };
    case 'cycle':
      return {
        approve: `drop the dependency ${checkpoint.need} and continue`,
        reject: 'halt the features of the cycle and their dependents, continue with the others',
      };
    default:
      return checkpoint satisfies never;
  }
}

function afterRejectedReview({ gates }: RunState, key: string): string {
  const gate = gates.get(key);
  if (gate?.kind === 'audit') return 'audit again';
  return gate === undefined || gate.verdict === null
    ? 'review again (--note TEXT instructs the reviewer)'
    : `fix and review again, at most ${mostRounds} rounds (--note TEXT says how)`;
}

/** The failed task, or all tasks that failed in the same way. */
function failedTasks(state: RunState, checkpoint: CheckpointState): TaskState[] {
  const task = askedTask(checkpoint);
  const only = task === undefined ? undefined : findTask(state, task);
  if (only !== undefined) return [only];
  if (checkpoint.kind !== 'breaker') return [];
  return [...state.tasks.values()].filter((one) => signatureOfTask(one) === checkpoint.signature);
}

function afterBreaker(state: RunState, checkpoint: CheckpointState): string {
  const meant = new Set(failedTasks(state, checkpoint).map((task) => approvalOfTask(state, task)));
  if (!meant.has('accept')) return 'retry all of them';
  return meant.has('retry')
    ? 'accept the work of those that left some, retry the others'
    : 'accept the work of all of them as done';
}

function acceptsWork(state: RunState, checkpoint: CheckpointState): boolean {
  return failedTasks(state, checkpoint).some((task) => approvalOfTask(state, task) === 'accept');
}

/** Tasks of its wave; of the whole run before the first wave and after the last. */
function subjectsOf(state: RunState, checkpoint: CheckpointState): readonly TaskState[] {
  const wave = checkpoint.kind === 'planned' ? waveAt(state, checkpoint.afterWave) : currentWave(state);
  return wave === undefined || wave === state.audit || wave === state.final
    ? [...state.tasks.values(), ...state.gateTasks.values()]
    : [...wave.tasks, ...wave.added];
}

export function checkpointQuestion(state: RunState, checkpoint: CheckpointState): CheckpointQuestion {
  const files = new Set<string>();
  const concerns: string[] = [];
  const completed: string[] = [];
  for (const task of subjectsOf(state, checkpoint)) {
    const { planned, progress, role } = task;
    const outcome = 'outcome' in progress ? progress.outcome : undefined;
    for (const file of mergedFiles(state, task)) files.add(file);
    if (progress.status === 'completed' && role === 'work') completed.push(planned.id);
    if (outcome !== undefined && outcome.degraded.length > 0)
      concerns.push(`${planned.id}: ${outcome.degraded.join(', ')}`);
    if (progress.status === 'skipped') concerns.push(`${planned.id} skipped: ${oneLine(progress.because, 80)}`);
    const failure = failureOf(outcome);
    if (outcome !== undefined && failure !== undefined) {
      concerns.push(
        `${planned.id} ${progress.status === 'ended' ? outcome.status : progress.status}: ${oneLine(failure.message, 160)}`,
      );
    }
  }
  return {
    checkpoint: checkpoint.id,
    kind: checkpoint.kind,
    why: whyOf(state, checkpoint),
    ...answersOf(state, checkpoint),
    completed,
    files: [...files],
    issues: issuesOf(state),
    concerns,
    notes: taskNotes(subjectsOf(state, checkpoint)),
    claims: taskClaims(subjectsOf(state, checkpoint)),
    evidence: evidenceOf(state, askedTask(checkpoint)),
    changes: amendmentChanges(state, checkpoint.kind === 'edit' ? checkpoint.amendments : []),
    otherwise: insteadOf(state, checkpoint),
  };
}

/** Commands that inspect or redo work. Work without a valid return can be accepted or left. */
function insteadOf(state: RunState, checkpoint: CheckpointState): string[] {
  if (checkpoint.kind === 'cycle') return otherWaysOut(state, checkpoint);
  if (checkpoint.kind === 'base')
    return [
      `divisi update ${state.created.run}    after you have fixed the project or its config: they are checked again`,
    ];
  const isConducted = runKind(state.created) === 'conducted';
  if (checkpoint.kind === 'planned' && (isConducted || state.head !== null))
    return [`divisi diff ${state.created.run}    inspect the changes`];
  const isFailure = checkpoint.kind === 'failure' || checkpoint.kind === 'breaker';
  const failed = isFailure ? failedTasks(state, checkpoint) : [];
  const tasks = failed.filter(({ planned }) => state.tasks.has(planned.id));
  const rooms = tasks.slice(0, mostInstead).flatMap((task) => roomOf(state, task));
  if (isFailure && isEnvironment(state, checkpoint))
    return [`divisi update ${state.created.run}    take over a corrected config or a newer commit first`, ...rooms];
  const unanswered = failed.filter(needsOtherVendor);
  if (unanswered.length > 0) return unanswered.slice(0, mostInstead).map(({ planned }) => otherVendor(planned.id));
  if (!isFailure || !acceptsWork(state, checkpoint)) return rooms;
  const { run, settings, workspace } = state.created;
  const repairs = tasks.map(({ progress }) => ('outcome' in progress ? (progress.outcome?.repairs ?? 0) : 0));
  const cannotAsk = settings.driver === 'command' && repairs.some((count) => count < mostRepairs);
  return [
    ...tasks
      .slice(0, mostInstead)
      .flatMap((task) => [
        ...(workspace === undefined ? [] : [`divisi diff ${run}/${task.planned.id}    inspect the work first`]),
        ...roomOf(state, task),
        ...(isConducted || rulesOf(state.created).grows
          ? []
          : [`divisi resume ${run} from task ${task.planned.id}    redo it`]),
      ]),
    ...(tasks.length > 0 && cannotAsk ? ['set `Repair:` in the plan to a command that can repair such a return'] : []),
  ];
}

/** Where its work can be looked at. */
function roomOf({ created }: RunState, { planned: { id }, attempt }: TaskState): string[] {
  if (runKind(created) === 'conducted' || (attempt?.room ?? null) === null) return [];
  return [`cd "$(divisi path ${created.run}/${id})"    look around in its room`];
}

/** Its vendor's models do not answer this task, at any tier. */
function needsOtherVendor({ progress }: TaskState): boolean {
  const why = 'outcome' in progress ? failureOf(progress.outcome)?.class : undefined;
  return why === 'context-full' || why === 'refusal' || why === 'no-answer';
}

function otherVendor(id: string): string {
  return `edit the plan: split ${id} into smaller tasks or reword it, or give it an agent whose \`driver\` is of another vendor`;
}

/** Their rooms or commands did not work, and an update may help. */
function isEnvironment(state: RunState, checkpoint: CheckpointState): boolean {
  const { kind = 'checkout' } = workspaceOf(state) ?? {};
  const isCause = ({ progress }: TaskState): boolean =>
    'outcome' in progress && failureOf(progress.outcome)?.class === 'environment';
  return kind !== 'checkout' && failedTasks(state, checkpoint).some(isCause);
}

/** Any dependency of a cycle can be the one that is dropped. */
function otherWaysOut(state: RunState, { need, id }: CheckpointOf<'cycle'>): string[] {
  const workflow = workflowAs(state.created, 'features');
  const cycles = workflow === undefined ? [] : featuresOf(state, workflow).cycles;
  const others = cycles.find(({ drop }) => needKey(drop) === need)?.others ?? [];
  return others.map(({ from, to }) => {
    return `divisi approve ${state.created.run} --checkpoint ${id} --note "${from} needs ${to}"    drop that dependency instead`;
  });
}

/** Most tasks of a circuit breaker to list. */
const mostInstead = 3;

/** Why the task's work was rejected, or what it conflicts with. */
function evidenceOf(state: RunState, id: string | undefined): string[] {
  const task = id === undefined ? undefined : findTask(state, id);
  if (task === undefined || !('outcome' in task.progress)) return [];
  const why = failureOf(task.progress.outcome)?.class;
  if (why === 'verification-failed') {
    const { commands = [], findings = [] } = task.attempt?.verification ?? {};
    return proofLines({
      commands: commands.filter(({ ok }) => !ok),
      findings: findings.filter(({ rejects }) => rejects),
    });
  }
  if (why === 'steering') {
    const { findings = [] } = task.attempt?.verification ?? {};
    return proofLines({ commands: [], findings: findings.filter(({ diff }) => diff !== undefined) });
  }
  if (why !== 'conflict') return [];
  return (task.attempt?.conflicts ?? []).flatMap(({ path, why: how, merged, own }) => [
    `${oneLine(path, 200)}: ${oneLine(how, 200)}`,
    ...sideLines('merged', merged),
    ...sideLines('own', own),
  ]);
}

const mostOfSide = 8;

function sideLines(word: string, text: string): string[] {
  if (text === '') return [];
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const shown = lines.slice(0, mostOfSide).map((line) => `  ${word} | ${terminalText(line.slice(0, 160))}`);
  return lines.length > mostOfSide ? [...shown, `  ${word} | and ${lines.length - mostOfSide} more lines`] : shown;
}

function issuesOf({ gates, findings }: RunState): string[] {
  const issues: string[] = [];
  for (const { key, fixes, verdict, status } of gates.values()) {
    const action = oneLine(verdict?.action ?? '', 120);
    if (verdict?.priority === 'HIGH' || verdict?.priority === 'HALT')
      issues.push(`${key}: ${verdict.priority} ${action}${status === 'passed' ? ', accepted' : ', open'}`);
    else if (fixes > 0) issues.push(`${key}: fixed in ${counted(fixes, 'round')}`);
  }
  for (const { id, action, isFixed } of findings.values()) {
    issues.push(`${id}: MED ${oneLine(action, 120)}${isFixed ? ', fixed' : ', deferred'}`);
  }
  return issues;
}
