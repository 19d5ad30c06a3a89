/** A checkpoint as a person reads it: what was done, what is asked, what yes and no mean, and how to say it. */
import { oneLine } from '../contracts/flatten.ts';
import { approvalOf } from '../gates/failure-policy.ts';
import { type CheckpointState, findTask, type RunState } from '../core/state.ts';

export interface CheckpointQuestion {
  readonly checkpoint: string;
  readonly kind: CheckpointState['kind'];
  readonly why: string;
  readonly approve: string;
  readonly reject: string;
  /** What was done since the run began, or since the last checkpoint that was answered. */
  readonly completed: readonly string[];
  readonly files: readonly string[];
  /** What reviews found: mended, put off, or still open. */
  readonly issues: readonly string[];
  /** What is worth a look before a yes. */
  readonly concerns: readonly string[];
}

/** What follows from either answer. */
export function answersOf(
  state: RunState,
  { kind, task }: CheckpointState,
): { readonly approve: string; readonly reject: string } {
  switch (kind) {
    case 'planned':
      return { approve: 'go on', reject: 'stop the run here' };
    case 'review':
      return { approve: 'go on as it is', reject: 'have it mended and reviewed once more (--note tells how)' };
    case 'failure':
      return {
        approve: acceptsWork(state, task) ? 'take the work as done' : 'try it again (--note tells the agent more)',
        reject: 'leave it, skip what depends on it, and go on with the rest',
      };
    case 'breaker':
      return { approve: 'try all of them again', reject: 'leave them, skip what depends on them, and go on' };
    case 'budget':
      return task === undefined
        ? { approve: 'grant the same budget once more', reject: 'stop the run here' }
        : { approve: 'grant it once more and try again', reject: 'leave it, skip what depends on it, and go on' };
    case 'edit':
      return { approve: 'take the change over', reject: 'go on with the plan as it was' };
    default:
      return kind satisfies never;
  }
}

function acceptsWork(state: RunState, id: string | undefined): boolean {
  const progress = id === undefined ? undefined : findTask(state, id)?.progress;
  const failure = progress?.status === 'ended' ? progress.outcome.failure : undefined;
  return failure !== undefined && approvalOf(failure.class) === 'accept';
}

const mostListed = 20;

export function checkpointQuestion(state: RunState, checkpoint: CheckpointState): CheckpointQuestion {
  const wave = state.waves[(checkpoint.afterWave ?? state.waveIndex + 1) - 1];
  const tasks = [...(wave?.tasks ?? []), ...(wave?.added ?? [])];
  const files = new Set<string>();
  const concerns: string[] = [];
  const completed: string[] = [];
  for (const { planned, progress, role } of tasks) {
    const outcome = 'outcome' in progress ? progress.outcome : undefined;
    for (const file of outcome?.files ?? []) files.add(file);
    if (progress.status === 'completed' && role === 'work') completed.push(planned.id);
    if (outcome !== undefined && outcome.degraded.length > 0)
      concerns.push(`${planned.id}: ${outcome.degraded.join(', ')}`);
    if (progress.status === 'skipped') concerns.push(`${planned.id} was skipped: ${oneLine(progress.because, 80)}`);
    if (outcome?.failure !== undefined && progress.status !== 'completed') {
      concerns.push(`${planned.id} ${progress.status}: ${oneLine(outcome.failure.message, 160)}`);
    }
  }
  return {
    checkpoint: checkpoint.id,
    kind: checkpoint.kind,
    why: checkpoint.why,
    ...answersOf(state, checkpoint),
    completed,
    files: [...files].slice(0, mostListed),
    issues: issuesOf(state),
    concerns: concerns.slice(0, mostListed),
  };
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
  return issues.slice(0, mostListed);
}

/** For a terminal. */
export function questionText(question: CheckpointQuestion, run: string): string {
  const { why, completed, files, issues, concerns, approve, reject, checkpoint } = question;
  const list = (items: readonly string[]): string => items.map((item) => oneLine(item, 100)).join(', ');
  return [
    `${checkpoint} needs you: ${oneLine(why, 300)}`,
    ...(completed.length === 0 ? [] : [`  completed: ${list(completed.slice(0, mostListed))}`]),
    ...(files.length === 0 ? [] : [`  files: ${list(files)}`]),
    ...issues.map((issue) => `  found: ${oneLine(issue, 200)}`),
    ...concerns.map((concern) => `  concern: ${oneLine(concern, 200)}`),
    `  tutti approve ${run}    ${approve}`,
    `  tutti reject ${run}     ${reject}`,
  ].join('\n');
}
