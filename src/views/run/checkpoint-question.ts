/** A checkpoint as a person reads it: what was done, what is asked, what yes and no mean, and how to say it. */
import { failureOf } from '../../core/event/make-outcome.ts';
import { oneLine } from '../../base/text.ts';
import { rulesOf, workflowAs } from '../../core/event/run-kind.ts';
import { approvalOfTask, signatureOfTask } from '../../core/state/failure-of.ts';
import { needKey } from '../../core/features/feature-graph.ts';
import { featuresOf } from '../../core/features/features-of.ts';
import {
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
import { mergedFiles } from './task-report.ts';
import { proofLines } from './proof-text.ts';

export interface CheckpointQuestion {
  readonly checkpoint: string;
  readonly kind: CheckpointState['kind'];
  readonly why: string;
  readonly approve: string;
  readonly reject: string;
  /** What was done in the wave, or in the whole run where no wave is meant. */
  readonly completed: readonly string[];
  readonly files: readonly string[];
  /** What reviews found: mended, put off, or still open. */
  readonly issues: readonly string[];
  /** What is worth a look before a yes. */
  readonly concerns: readonly string[];
  /** Of the task that failed: claim against fact, or both sides of a conflict. */
  readonly evidence: readonly string[];
  /** What an edit of the plan would change. */
  readonly changes: readonly string[];
  /** What can be done instead of an answer. */
  readonly otherwise: readonly string[];
}

/** What follows from either answer. */
export function answersOf(
  state: RunState,
  checkpoint: CheckpointState,
): { readonly approve: string; readonly reject: string } {
  const { kind, task, gate } = checkpoint;
  switch (kind) {
    case 'planned':
      return { approve: 'go on', reject: 'stop the run here' };
    case 'review':
      return { approve: 'go on as it is', reject: afterRejectedReview(state, gate) };
    case 'failure':
      return {
        approve: acceptsWork(state, checkpoint)
          ? 'take the work as done'
          : 'try it again (--note tells the agent more)',
        reject: 'leave it, skip what depends on it, and go on with the rest',
      };
    case 'breaker':
      return {
        approve: afterBreaker(state, checkpoint),
        reject: 'leave them, skip what depends on them, and go on',
      };
    case 'budget':
      return task === undefined
        ? { approve: 'grant the same budget once more', reject: 'stop the run here' }
        : { approve: 'grant it once more and try again', reject: 'leave it, skip what depends on it, and go on' };
    case 'edit':
      return { approve: 'take the change over', reject: 'go on with the plan as it was' };
    case 'feature':
      return {
        approve: 'go on as it is',
        reject:
          'halt the feature and those that need it, and go on with the others; with --note it is mended once more by what that says',
      };
    case 'cycle':
      return {
        approve: `go on without ${gate ?? ''}`,
        reject: 'halt the features of the circle and those that need them, and go on with the others',
      };
    default:
      return kind satisfies never;
  }
}

function afterRejectedReview({ gates }: RunState, key: string | undefined): string {
  const gate = key === undefined ? undefined : gates.get(key);
  if (gate?.kind === 'audit') return 'audit it again';
  return gate === undefined || gate.verdict === null
    ? 'have it reviewed again (--note tells the reviewer more)'
    : `have it mended and reviewed again, at most ${mostRounds} rounds (--note tells how)`;
}

/** What failed, or all that failed in the same way. */
function failedTasks(state: RunState, { task, signature }: CheckpointState): TaskState[] {
  const only = task === undefined ? undefined : findTask(state, task);
  if (only !== undefined) return [only];
  if (signature === undefined) return [];
  return [...state.tasks.values()].filter((one) => signatureOfTask(one) === signature);
}

function afterBreaker(state: RunState, checkpoint: CheckpointState): string {
  const meant = new Set(failedTasks(state, checkpoint).map((task) => approvalOfTask(state, task)));
  if (!meant.has('accept')) return 'try all of them again';
  return meant.has('retry')
    ? 'take the work as done where there is some, and try the others again'
    : 'take the work of all of them as done';
}

function acceptsWork(state: RunState, checkpoint: CheckpointState): boolean {
  return failedTasks(state, checkpoint).some((task) => approvalOfTask(state, task) === 'accept');
}

/** Of the wave it is about; before the first and after the last wave that is the whole run. */
function subjectsOf(state: RunState, { afterWave }: CheckpointState): readonly TaskState[] {
  const wave = afterWave === undefined ? currentWave(state) : waveAt(state, afterWave);
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
    if (progress.status === 'skipped') concerns.push(`${planned.id} was skipped: ${oneLine(progress.because, 80)}`);
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
    why: checkpoint.why,
    ...answersOf(state, checkpoint),
    completed,
    files: [...files],
    issues: issuesOf(state),
    concerns,
    evidence: evidenceOf(state, checkpoint.task),
    changes: amendmentChanges(state, checkpoint.amendments ?? []),
    otherwise: insteadOf(state, checkpoint),
  };
}

/** Work whose return has no form that counts may be taken as done or left; or done again, which no answer asks for. */
function insteadOf(state: RunState, checkpoint: CheckpointState): string[] {
  if (checkpoint.kind === 'cycle') return otherWaysOut(state, checkpoint);
  const isFailure = checkpoint.kind === 'failure' || checkpoint.kind === 'breaker';
  if (!isFailure || !acceptsWork(state, checkpoint)) return [];
  const { run, settings, workspace } = state.created;
  const tasks = failedTasks(state, checkpoint).filter(({ planned }) => state.tasks.has(planned.id));
  const repairs = tasks.map(({ progress }) => ('outcome' in progress ? (progress.outcome?.repairs ?? 0) : 0));
  const cannotAsk = settings.driver === 'command' && repairs.some((count) => count < mostRepairs);
  return [
    ...tasks
      .slice(0, mostInstead)
      .flatMap(({ planned: { id } }) => [
        ...(workspace === undefined ? [] : [`divisi diff ${run}/${id}    look at the work first`]),
        ...(rulesOf(state.created).grows ? [] : [`divisi resume ${run} from task ${id}    have it done again`]),
      ]),
    ...(tasks.length > 0 && cannotAsk
      ? ['`Repair:` in the settings of the plan names a command that is asked for such a return again']
      : []),
  ];
}

/** Each need of a circle could be the one that is given up. */
function otherWaysOut(state: RunState, { gate, id }: CheckpointState): string[] {
  const workflow = workflowAs(state.created, 'features');
  const cycles = workflow === undefined ? [] : featuresOf(state, workflow).cycles;
  const others = cycles.find(({ drop }) => needKey(drop) === gate)?.others ?? [];
  return others.map(({ from, to }) => {
    return `divisi approve ${state.created.run} --checkpoint ${id} --note "${from} needs ${to}"    go on without that instead`;
  });
}

/** Of a circuit breaker; the others go the same way. */
const mostInstead = 3;

/** Why the work of a task was refused, or what it does not go together with. */
function evidenceOf(state: RunState, id: string | undefined): string[] {
  const task = id === undefined ? undefined : findTask(state, id);
  if (task === undefined || !('outcome' in task.progress)) return [];
  const why = failureOf(task.progress.outcome)?.class;
  if (why === 'verification-failed') {
    const { commands = [], findings = [] } = task.verification ?? {};
    return proofLines({
      commands: commands.filter(({ ok }) => !ok),
      findings: findings.filter(({ rejects }) => rejects),
    });
  }
  if (why !== 'conflict') return [];
  return task.conflicts.flatMap(({ path, why: how, merged, own }) => [
    `${oneLine(path, 200)}: ${oneLine(how, 200)}`,
    ...sideLines('there', merged),
    ...sideLines('here', own),
  ]);
}

const mostOfSide = 8;

/** As many lines of one side of a conflict as a person reads before they look for themselves. */
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
    if (verdict?.priority === 'HIGH')
      issues.push(`${key}: HIGH ${action}${status === 'passed' ? ', accepted' : ', open'}`);
    else if (fixes > 0) issues.push(`${key}: mended in ${fixes} ${fixes === 1 ? 'round' : 'rounds'}`);
  }
  for (const { id, action, isFixed } of findings.values()) {
    issues.push(`${id}: MED ${oneLine(action, 120)}${isFixed ? ', mended' : ', put off'}`);
  }
  return issues;
}

const mostListed = 20;
const mostEvidence = 40;

/**
 * For a terminal. Where it is not the only one that is open, an answer has to name it; so it has where it is about an edit,
 * for the next edit puts another question in its place.
 */
export function questionText(question: CheckpointQuestion, run: string, isOnly: boolean): string {
  return [headLine(question), ...contextLines(question), ...ownLines(question, run, isOnly)].join('\n');
}

/** Of all that are open. What several of them have in common is said once. */
export function questionTexts(questions: readonly CheckpointQuestion[], run: string): string[] {
  if (questions.length < 2) return questions.map((one) => questionText(one, run, true));
  let said = '';
  return questions.flatMap((question) => {
    const context = contextLines(question).join('\n');
    const isNews = context !== said && context !== '';
    said = context;
    const text = [headLine(question), ...ownLines(question, run, false)].join('\n');
    return isNews ? [`so far:\n${context}`, text] : [text];
  });
}

const headLine = ({ checkpoint, why }: CheckpointQuestion): string => `${checkpoint} needs you: ${oneLine(why, 300)}`;

/** What was done in the wave. */
function contextLines({ completed, files, issues, concerns }: CheckpointQuestion): string[] {
  return [
    ...(completed.length === 0 ? [] : [`  completed: ${shortList(completed)}`]),
    ...(files.length === 0 ? [] : [`  files: ${shortList(files)}`]),
    ...shortLines('found', issues, 200),
    ...shortLines('concern', concerns, 200),
  ];
}

function ownLines(question: CheckpointQuestion, run: string, isOnly: boolean): string[] {
  const { checkpoint, evidence, changes, approve, reject, otherwise } = question;
  const which = isOnly && question.kind !== 'edit' ? run : `${run} --checkpoint ${checkpoint}`;
  return [
    ...evidence.slice(0, mostEvidence).map((line) => `  evidence: ${line}`),
    ...(evidence.length > mostEvidence ? [`  evidence: and ${evidence.length - mostEvidence} more lines`] : []),
    ...shortLines('change', changes, 1000),
    `  divisi approve ${which}    ${approve}`,
    `  divisi reject ${which}     ${reject}`,
    ...otherwise.map((line) => `  or: ${line}`),
  ];
}

function shortList(items: readonly string[]): string {
  const shown = items.slice(0, mostListed).map((item) => oneLine(item, 100));
  return shown.join(', ') + (items.length > mostListed ? ` and ${items.length - mostListed} more` : '');
}

function shortLines(word: string, items: readonly string[], most: number): string[] {
  const shown = items.slice(0, mostListed).map((item) => `  ${word}: ${oneLine(item, most)}`);
  return items.length > mostListed ? [...shown, `  ${word}: and ${items.length - mostListed} more`] : shown;
}
