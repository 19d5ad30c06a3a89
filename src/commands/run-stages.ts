/**
 * Runs a task command through its seven stages; the first four are here, the others in its run.
 *
 * One command at a time works on a task. The same command continues unfinished work; another one ends it first.
 */
import { defined } from '../base/defined.ts';
import { commandEnd, commandOf, isStranded, tasksDone } from '../core/workflow/command-end.ts';
import type { RunId } from '../base/ids.ts';
import { isOver, type RunState } from '../core/state/state.ts';
import { readInside } from '../workspace/project-path.ts';
import { planKeyOf } from './plan-key.ts';
import type { CommandWorkflow } from '../core/event/workflow.ts';
import { classFor, secondsFor } from '../delegation/deadline.ts';
import { foldRun } from '../ledger/fold-run.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import type { RunOptions } from '../scheduler/agent-run.ts';
import { rehearseLedger, withLedger } from '../project/project-ledger.ts';
import { loadProject } from '../project/project-folder.ts';
import { loadTrusted } from '../project/trust/load-trusted.ts';
import type { RunStart } from '../scheduler/run-session.ts';
import { startWorkflow } from '../scheduler/begin/start-workflow.ts';
import { readableRun } from '../project/readable-run.ts';
import { livingHolder } from '../project/with-lease.ts';
import { endStatuses } from '../todo/task-status.ts';
import { commandHooks } from './command-hooks.ts';
import { commandRunning, unmergedWork, driverFixed, taskEnded } from './command-refusal.ts';
import type { CommandRequest } from './command-request.ts';
import { type CommandRunRow, commandTitle, findCommandRun } from './find-command-run.ts';
import { type CommandDeps, prepareCommand, type PreparedCommand } from './prepare-command.ts';
import { beginTask } from './settle-task.ts';

/** Operations on existing runs, provided by the runtime. */
export interface EarlierRuns {
  /** Deadlines in seconds by class, where the person changes them. */
  readonly resume: (row: RunRow, deadlines: RunStart['deadlines']) => Promise<RunState>;
  readonly cancel: (row: RunRow) => Promise<void>;
  /** Repeats the postflight steps. */
  readonly finish: (row: RunRow) => Promise<RunState>;
}

export async function runStages(request: CommandRequest, options: RunOptions, runs: EarlierRuns): Promise<RunState> {
  const { project, environment, warn } = options;
  const settled = await loadTrusted(options);
  const deps = (ledger: Ledger): CommandDeps => ({ project, environment, ledger, settled, warn });
  const before = await withLedger(project, async (ledger) => strandedRun(ledger, request.number));
  if (before !== undefined) {
    const finished = await runs.finish(before);
    if (before.status === 'completed' && asksForSame(before, request)) return finished;
    if (isStranded(finished) && !asksForSame(before, request)) throw unmergedWork(before);
  }
  const { resumed, ended } = await withLedger(project, (ledger) => chooseRun(request, deps(ledger)));
  if (resumed !== undefined) return runs.resume(resumed, deadlinesOf(resumed, request));
  if (ended !== undefined) await runs.cancel(ended);
  return withLedger(project, async (ledger) => {
    // Prepared again: cancelling has restored the task's status.
    const { task, files, workflow, deadline, tasks, stages } = await prepareCommand(request, deps(ledger));
    return startWorkflow(
      {
        title: commandTitle(workflow.command, workflow.number, task.title),
        goal: request.prompt,
        workflow,
        waves: [{ title: task.title, tasks }],
        stages,
        own: [
          files.todo,
          files.state,
          `${workflow.folder}/state.json`,
          ...(workflow.plan === undefined ? [] : [workflow.plan]),
        ],
        concurrency: 1,
        deadlines: { [deadline.class]: deadline.seconds },
        gated: false,
        ...defined({ driver: request.driver }),
      },
      {
        ledger,
        settled,
        options,
        hooks: (run) => commandHooks(run, { project, environment, ledger, warn }),
        check: () => refuseOther(ledger, workflow),
        created: (run) => beginTask(ledger, workflow.command, workflow.number, run),
      },
    );
  });
}

/** Reports what would be delegated; starts and writes nothing. */
export async function previewCommand(
  request: CommandRequest,
  { project, environment, warn }: Pick<RunOptions, 'project' | 'environment' | 'warn'>,
): Promise<PreparedCommand & { readonly resumes?: string }> {
  const settled = await loadProject(project, warn);
  return rehearseLedger(project, async (ledger) => {
    const deps = { project, environment, ledger, settled, warn, isDryRun: true };
    const { resumed } = await chooseRun(request, deps);
    const prepared = await prepareCommand(request, deps);
    return resumed === undefined ? prepared : { ...prepared, resumes: resumed.run };
  });
}

interface ResumedRun extends RunRow {
  readonly state: RunState;
}

/** Throws DELEGATION_REFUSED above the class maximum. */
function deadlinesOf({ state }: ResumedRun, { timeout }: CommandRequest): RunStart['deadlines'] {
  if (timeout === undefined) return undefined;
  const { command } = commandOf(state);
  const work = { command, classes: state.created.settings.classes };
  const classes = new Set(Array.from(state.tasks.values(), ({ planned }) => classFor(planned.agent, work)));
  return Object.fromEntries(Array.from(classes, (kind) => [kind, secondsFor(kind, timeout)]));
}

/** The last command on the task, if its work could not be merged into the checkout. */
function strandedRun(ledger: Ledger, number: number): CommandRunRow | undefined {
  const row = findCommandRun(ledger, number);
  if (row === undefined || !isOver(row.status) || row.status === 'cancelled') return undefined;
  if (livingHolder(ledger, row.run) !== null) throw commandRunning(row);
  const state = readableRun(ledger, row.run);
  return state !== undefined && isStranded(state) ? row : undefined;
}

/** The run to resume, or the one to end first. Throws RUN_UNFINISHED while a process works on the task. */
async function chooseRun(
  request: CommandRequest,
  deps: CommandDeps,
): Promise<{ readonly resumed?: ResumedRun; readonly ended?: RunRow }> {
  const { ledger } = deps;
  const row = findCommandRun(ledger, request.number);
  if (row === undefined || row.status === 'completed' || row.status === 'cancelled') return {};
  if (livingHolder(ledger, row.run) !== null) throw commandRunning(row);
  // One of an older version is left as it is once it is over; one that is not has to be ended by that version.
  const state = isOver(row.status) ? readableRun(ledger, row.run) : foldRun(ledger, row.run);
  if (state === undefined) return {};
  const isSame = asksForSame(row, request) && (await isSamePlan(deps.project, row.workflow));
  // Skips preflight: a run interrupted in its last steps has already changed its task.
  if (!isOver(row.status)) {
    if (isSame) {
      refuseUnwanted(ledger, row, state);
      if (request.driver !== undefined) throw driverFixed(row);
      return { resumed: { ...row, state } };
    }
    if (state.head !== null) throw unmergedWork(row);
    // A refused command ends nothing.
    await prepareCommand(request, deps);
    return { ended: row };
  }
  if (!isSame || !isWorthResuming(state)) return {};
  const { workflow } = await prepareCommand(request, deps);
  const isUnchanged = workflow.plan === row.workflow.plan && workflow.language === row.workflow.language;
  if (!isUnchanged) return {};
  if (request.driver !== undefined) throw driverFixed(row);
  return { resumed: { ...row, state } };
}

/** Refuses to resume when the task was ended meanwhile, unless only postflight is left. */
function refuseUnwanted({ taskList }: Ledger, row: CommandRunRow, { command }: RunState): void {
  const task = taskList.task(row.workflow.number);
  if (task === null || command.reached.some(({ stage }) => stage === 'postflight')) return;
  if (taskList.isArchived(task.number) || endStatuses.some((one) => one === task.status)) throw taskEnded(row, task);
}

/** A plan that was edited since, other than by marks, is different work. */
async function isSamePlan(project: string, { plan, planKey }: CommandWorkflow): Promise<boolean> {
  if (plan === undefined) return true;
  const text = await readInside(project, plan);
  return text !== undefined && planKeyOf(text) === planKey;
}

/** Another prompt is different work. */
function asksForSame({ workflow, prompt }: CommandRunRow, request: CommandRequest): boolean {
  if (request.isNew === true || workflow.command !== request.command) return false;
  if (request.language !== undefined && request.language.toLowerCase() !== workflow.language) return false;
  return request.prompt === '' || request.prompt === prompt;
}

/**
 * False for a run that failed without finished tasks. An invalid return or rejected work is kept: its agent continues
 * with the findings.
 */
function isWorthResuming(state: RunState): boolean {
  if (!isOver(state.status)) return true;
  return commandEnd(state) !== 'failed' || tasksDone(state).length > 0;
}

/**
 * Runs in the transaction that creates the run, so only one of two concurrent commands starts. `own` is the run being
 * resumed.
 */
export function refuseOther(ledger: Ledger, { number }: CommandWorkflow, own?: RunId): void {
  const row = findCommandRun(ledger, number);
  if (row !== undefined && row.run !== own && !isOver(row.status)) throw commandRunning(row);
}
