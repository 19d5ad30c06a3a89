/** Where a run stands, as data and as text: what is done, what failed and why, what waits for what, where the reports are. */
import { oneLine } from '../contracts/flatten.ts';
import type { Finding } from '../core/gate.ts';
import { openCheckpoints, type RunState } from '../core/state.ts';
import type { TaskProgress, TaskState } from '../core/task-state.ts';
import { type Waiting, waitingFor } from '../core/waiting.ts';
import type { BudgetKey } from '../core/planned-task.ts';
import { counted } from './counted.ts';
import { shortDuration } from './duration.ts';
import type { Mark, Tier } from '../plan/plan.ts';
import { type CheckpointQuestion, checkpointQuestion, questionText } from './checkpoint-question.ts';
import { markOf } from './plan-changes.ts';

export interface TaskReport {
  readonly task: string;
  readonly title: string;
  readonly wave: number;
  readonly status: TaskProgress['status'];
  readonly mark: Mark;
  /** Of its last attempt, or of the next. */
  readonly tier: Tier;
  readonly attempts: number;
  readonly summary?: string;
  readonly failure?: { readonly class: string; readonly message: string };
  readonly report?: string;
  readonly degraded?: readonly string[];
  readonly because?: string;
  readonly waiting?: Waiting;
  readonly delegation?: string;
}

export interface RunReport {
  readonly run: string;
  readonly title: string;
  readonly status: string;
  readonly reason?: string;
  readonly plan: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly files: readonly string[];
  readonly tasks: readonly TaskReport[];
  /** Reviews and fixes. */
  readonly gates: readonly TaskReport[];
  readonly findings: readonly FindingReport[];
  /** What a person is asked. */
  readonly checkpoints: readonly CheckpointQuestion[];
  readonly spent: RunState['spent'];
  readonly budgets: RunState['created']['settings']['budgets'];
  readonly delegations: readonly DelegationReport[];
}

export type FindingReport = Pick<Finding, 'id' | 'action' | 'report' | 'isFixed'>;

/** A row of the registry: what is running now. */
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
}

function taskReport(state: RunState, task: TaskState): TaskReport {
  const { planned, wave, attempts, progress, tier } = task;
  const waiting = waitingFor(state, task);
  const base = {
    task: planned.id,
    title: planned.title,
    wave,
    status: progress.status,
    mark: markOf(task),
    tier,
    attempts,
  };
  const extra = {
    ...(waiting === undefined ? {} : { waiting }),
    ...('because' in progress ? { because: progress.because } : {}),
    ...('delegation' in progress ? { delegation: progress.delegation } : {}),
  };
  if (!('outcome' in progress) || progress.outcome === undefined) return { ...base, ...extra };
  const { summary, failure, report, degraded } = progress.outcome;
  return {
    ...base,
    ...extra,
    summary,
    ...(failure === undefined ? {} : { failure }),
    ...(report === undefined ? {} : { report }),
    ...(degraded.length === 0 ? {} : { degraded }),
  };
}

export function runReport(state: RunState): RunReport {
  const counts: Record<string, number> = {};
  const files = new Set<string>();
  for (const { progress } of state.tasks.values()) counts[progress.status] = (counts[progress.status] ?? 0) + 1;
  for (const { progress } of [...state.tasks.values(), ...state.gateTasks.values()]) {
    if ('outcome' in progress) for (const file of progress.outcome?.files ?? []) files.add(file);
  }
  const delegations = [...state.active.values()].map(({ registered, deadline, pid, repairs }): DelegationReport => {
    const { delegation, task, agent, attempt, path, at } = registered;
    const row = { delegation, task, agent, attempt, path, depth: path.length - 2, since: at, deadline, repairs };
    return pid === null ? row : { ...row, pid };
  });
  return {
    run: state.created.run,
    title: state.created.plan.title,
    status: state.status,
    ...(state.reason === '' ? {} : { reason: state.reason }),
    plan: state.planFile,
    counts,
    files: [...files].toSorted(),
    tasks: state.waves.flatMap(({ tasks }) => tasks.map((task) => taskReport(state, task))),
    gates: [...state.gateTasks.values()].map((task) => taskReport(state, task)),
    findings: [...state.findings.values()].map(({ id, action, report, isFixed }) => {
      return { id, action, isFixed, ...(report === undefined ? {} : { report }) };
    }),
    checkpoints: openCheckpoints(state).map((one) => checkpointQuestion(state, one)),
    spent: state.spent,
    budgets: state.created.settings.budgets,
    delegations,
  };
}

export function waitingText(waiting: Waiting): string {
  switch (waiting.for) {
    case 'wave':
      return `waits for its wave (${waiting.wave})`;
    case 'dependency':
      return `waits for ${waiting.tasks.join(', ')}`;
    case 'scope-lock':
      return `waits for ${waiting.task}, which works in the same files`;
    case 'concurrency':
      return `waits for a free place (${waiting.most} at a time)`;
    case 'checkpoint':
      return `waits for a checkpoint: ${oneLine(waiting.why, 160)}`;
    case 'gate':
      return `waits for its review (${waiting.gate})`;
    case 'quota':
      return `waits for a quota until ${new Date(waiting.until).toISOString().slice(0, 19)}Z${waiting.guessed ? ', a guess' : ''}`;
    case 'start':
      return `the run is ${waiting.run}`;
    default:
      return waiting satisfies never;
  }
}

function taskLine({ task, title, status, mark, waiting, because, failure, summary, degraded }: TaskReport): string {
  const why =
    waiting !== undefined
      ? waitingText(waiting)
      : because !== undefined
        ? `${because} did not complete`
        : (failure?.message ?? summary ?? '');
  const flags = degraded === undefined ? '' : ` (${degraded.join(', ')})`;
  // What follows from an attempt that is over is up to a person or a review.
  const stands = status === 'ended' ? 'undecided' : status;
  return `  [${mark}] ${task} ${oneLine(title, 60)} – ${stands}${flags}${why === '' ? '' : `: ${oneLine(why, 160)}`}`;
}

/** Trouble first is for briefs; a person looks for a task where the plan has it. Long lists show what is not completed. */
export function statusText(report: RunReport, now: number, most = 60): string {
  const { run, title, plan, tasks, delegations } = report;
  const all =
    tasks.length <= most ? tasks : tasks.filter((task) => task.status !== 'completed' && task.status !== 'pending');
  const shown = all.slice(0, most);
  const lines = [
    `${run} ${oneLine(title, 100)}: ${standText(report)}`,
    `plan ${oneLine(plan, 300)}`,
    countsLine(report),
    spentLine(report),
    ...shown.map(taskLine),
  ];
  lines.push(...gateLines(report));
  if (shown.length < tasks.length) lines.push(`  … and ${tasks.length - shown.length} more; --json has them all`);
  for (const { delegation, task, agent, path, deadline, since, pid } of delegations) {
    const where = pid === undefined ? '' : `, process ${pid}`;
    const left = deadline - now;
    const time = left > 0 ? `${shortDuration(left)} left` : 'past its deadline';
    lines.push(
      `  ${delegation}: ${task} by ${oneLine(agent, 60)}, ${oneLine(path.join(' → '), 200)}, since ${shortDuration(now - since)}, ${time}${where}`,
    );
  }
  lines.push(...questionTexts(report));
  if (isAnswered(report)) lines.push(nextText(report));
  return lines.join('\n');
}

/** Nobody works on it, and nothing is asked any more. */
function isAnswered({ status, reason, checkpoints }: RunReport): boolean {
  return status === 'paused' && reason === 'answered' && checkpoints.length === 0;
}

function standText(report: RunReport): string {
  const { status, reason } = report;
  return reason === undefined || isAnswered(report) ? status : `${status} (${oneLine(reason, 160)})`;
}

function nextText(report: RunReport): string {
  const { run, status, checkpoints } = report;
  if (checkpoints.length > 0) return `next: answer, then tutti resume ${run}`;
  if (isAnswered(report)) return `answered; next: tutti resume ${run}`;
  if (status === 'paused') return `next: tutti resume ${run}`;
  return status === 'failed' ? `next: tutti resume ${run} tries again what did not complete` : '';
}

function questionTexts({ run, checkpoints }: RunReport): string[] {
  return checkpoints.map((question) => questionText(question, run, checkpoints.length === 1));
}

const mostGateLines = 12;

/** Reviews and fixes, the last ones; then what was put off. */
function gateLines(report: RunReport): string[] {
  return [...report.gates.slice(-mostGateLines).map(taskLine), ...findingLines(report, '  put off')];
}

function findingLines({ run, findings }: RunReport, words: string): string[] {
  const open = findings.filter(({ isFixed }) => !isFixed);
  const lines = open.slice(0, mostGateLines).map(({ id, action }) => `${words}: ${id} ${oneLine(action, 120)}`);
  const left = open.length - lines.length;
  return left > 0 ? [...lines, `${words}: and ${left} more; tutti status ${run} --json has them all`] : lines;
}

/** What was spent, and of how much, as far as it is known. */
function spentLine({ spent, budgets }: RunReport): string {
  const of = (key: BudgetKey): string => (budgets[key] === undefined ? '' : ` of ${budgets[key]}`);
  const parts = [
    budgets.delegations === undefined
      ? counted(spent.delegations, 'delegation')
      : `${spent.delegations} of ${counted(budgets.delegations, 'delegation')}`,
    `${shortDuration(spent.milliseconds)}${of('minutes')}${budgets.minutes === undefined ? '' : ' minutes'}`,
  ];
  if (spent.tokens > 0 || budgets.tokens !== undefined) parts.push(`${spent.tokens}${of('tokens')} tokens`);
  if (spent.cost > 0 || budgets.cost !== undefined) parts.push(`cost ${spent.cost.toFixed(2)}${of('cost')}`);
  const known = spent.tokens > 0 || spent.cost > 0 || budgets.tokens !== undefined || budgets.cost !== undefined;
  if (known && spent.silent > 0) {
    parts.push(`${counted(spent.silent, 'delegation')} did not say what ${spent.silent === 1 ? 'it' : 'they'} used`);
  }
  return `spent: ${parts.join(', ')}`;
}

function countsLine({ counts, tasks }: RunReport): string {
  const parts = Object.entries(counts).map(([status, number]) => `${number} ${status}`);
  return `${counted(tasks.length, 'task')}: ${parts.join(', ')}`;
}

/** What is printed when a run has come to rest: what was done, what failed and why, where the reports are, what to do next. */
export function summaryText(report: RunReport, reportFolder: string): string {
  const { run, tasks, files } = report;
  const trouble = tasks.filter(({ status: of }) => !['completed', 'pending', 'running'].includes(of));
  const lines = ['', `${run}: ${standText(report)}. ${countsLine(report)}.`];
  lines.push(...trouble.slice(0, 20).map(taskLine));
  if (trouble.length > 20) lines.push(`  … and ${trouble.length - 20} more: tutti status ${run}`);
  lines.push(...findingLines(report, 'put off, not mended'));
  if (files.length > 0) {
    lines.push(
      `files: ${files
        .slice(0, 20)
        .map((file) => oneLine(file, 80))
        .join(', ')}${files.length > 20 ? ` and ${files.length - 20} more` : ''}`,
    );
  }
  lines.push(`reports: ${reportFolder}`, `plan: ${oneLine(report.plan, 300)}`, ...questionTexts(report));
  const next = nextText(report);
  return (next === '' ? lines : [...lines, next]).join('\n');
}
