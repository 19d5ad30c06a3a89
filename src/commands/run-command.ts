/**
 * Runs a task command through its seven stages; the first four are here, the others in its run.
 *
 * One command at a time works on a task. The same command continues unfinished work; another one ends it first.
 */
import { defined } from '../base/defined.ts';
import { commandEnd, isStranded, tasksDone } from '../core/workflow/command-end.ts';
import type { RunId } from '../base/ids.ts';
import { isOver, type RunState } from '../core/state/state.ts';
import { readInside } from '../workspace/project-path.ts';
import { planKeyOf } from './plan-key.ts';
import type { CommandWorkflow } from '../core/event/workflow.ts';
import { classOf, secondsFor } from '../delegation/deadline.ts';
import { foldRun } from '../ledger/fold-run.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import type { RunOptions } from '../scheduler/agent-run.ts';
import { withLedger } from '../project/project-ledger.ts';
import { loadProject } from '../project/project-folder.ts';
import type { RunStart } from '../scheduler/run-session.ts';
import { startWorkflow } from '../scheduler/begin/start-workflow.ts';
import { livingHolder } from '../project/with-lease.ts';
import { endStatuses } from '../todo/task-status.ts';
import { commandHooks } from './command-hooks.ts';
import { atWork, hasWork, keepsDriver, unwanted } from './command-refusal.ts';
import type { CommandRequest } from './command-request.ts';
import { type CommandRunRow, commandTitle, findCommandRun } from './find-command-run.ts';
import { type CommandPlace, prepareCommand, type PreparedCommand } from './prepare-command.ts';
import { beginTask } from './settle-task.ts';

/** Operations on existing runs, provided by the runtime. */
export interface EarlierRuns {
  /** Seconds by class, where the person gives it another time than it had. */
  readonly resume: (row: RunRow, deadlines: RunStart['deadlines']) => Promise<RunState>;
  readonly cancel: (row: RunRow) => Promise<void>;
  /** Repeats the last steps. */
  readonly finish: (row: RunRow) => Promise<RunState>;
}

export async function runCommand(request: CommandRequest, options: RunOptions, runs: EarlierRuns): Promise<RunState> {
  const { project, environment, warn } = options;
  const settled = await loadProject(project, warn);
  const place = (ledger: Ledger): CommandPlace => ({ project, environment, ledger, settled, warn });
  const before = await withLedger(project, async (ledger) => leftAway(ledger, request.number));
  if (before !== undefined) {
    const finished = await runs.finish(before);
    if (before.status === 'completed' && asksForSame(before, request)) return finished;
    if (isStranded(finished) && !asksForSame(before, request)) throw hasWork(before);
  }
  const { resumed, ended } = await withLedger(project, (ledger) => chosenRun(request, place(ledger)));
  if (resumed !== undefined) return runs.resume(resumed, deadlinesOf(resumed, request));
  if (ended !== undefined) await runs.cancel(ended);
  return withLedger(project, async (ledger) => {
    // What was ended has put its task back to what it was.
    const { task, files, workflow, deadline, tasks, stages } = await prepareCommand(request, place(ledger));
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

/** Reports what would be delegated; starts nothing. */
export async function previewCommand(
  request: CommandRequest,
  { project, environment, warn }: Pick<RunOptions, 'project' | 'environment' | 'warn'>,
): Promise<PreparedCommand & { readonly resumes?: string }> {
  const settled = await loadProject(project, warn);
  return withLedger(project, async (ledger) => {
    const place = { project, environment, ledger, settled, warn };
    const { resumed } = await chosenRun(request, place);
    const prepared = await prepareCommand(request, place);
    return resumed === undefined ? prepared : { ...prepared, resumes: resumed.run };
  });
}

interface Resumed extends RunRow {
  readonly state: RunState;
}

/** More than the maximum of its class is refused here too (DELEGATION_REFUSED). */
function deadlinesOf({ state }: Resumed, { timeout }: CommandRequest): RunStart['deadlines'] {
  if (timeout === undefined) return undefined;
  const classes = new Set(Array.from(state.tasks.values(), ({ planned }) => classOf(planned.agent)));
  return Object.fromEntries(Array.from(classes, (kind) => [kind, secondsFor(kind, timeout)]));
}

/** The last command about the task, where its work could not come into the checkout when it ended. */
function leftAway(ledger: Ledger, number: number): CommandRunRow | undefined {
  const row = findCommandRun(ledger, number);
  if (row === undefined || !isOver(row.status) || row.status === 'cancelled') return undefined;
  if (livingHolder(ledger, row.run) !== null) throw atWork(row);
  return isStranded(foldRun(ledger, row.run)) ? row : undefined;
}

/** The run to resume, or the one to end first. Refused (RUN_UNFINISHED) while a process works on the task. */
async function chosenRun(
  request: CommandRequest,
  place: CommandPlace,
): Promise<{ readonly resumed?: Resumed; readonly ended?: RunRow }> {
  const { ledger } = place;
  const row = findCommandRun(ledger, request.number);
  if (row === undefined || row.status === 'completed' || row.status === 'cancelled') return {};
  if (livingHolder(ledger, row.run) !== null) throw atWork(row);
  const state = foldRun(ledger, row.run);
  const isSame = asksForSame(row, request) && (await isSamePlan(place.project, row.workflow));
  // One that was interrupted in its last steps has changed its task already: it is not for preflight to judge.
  if (!isOver(row.status)) {
    if (isSame) {
      refuseUnwanted(ledger, row, state);
      if (request.driver !== undefined) throw keepsDriver(row);
      return { resumed: { ...row, state } };
    }
    if (state.head !== null) throw hasWork(row);
    // A refused command ends nothing.
    await prepareCommand(request, place);
    return { ended: row };
  }
  if (!isSame || !isWorthResuming(state)) return {};
  const { workflow } = await prepareCommand(request, place);
  const isUnchanged = workflow.plan === row.workflow.plan && workflow.language === row.workflow.language;
  if (!isUnchanged) return {};
  if (request.driver !== undefined) throw keepsDriver(row);
  return { resumed: { ...row, state } };
}

/** Unless its agents have ended: then what is left to do is to put it down. */
function refuseUnwanted({ taskList }: Ledger, row: CommandRunRow, { command }: RunState): void {
  const task = taskList.task(row.workflow.number);
  if (task === null || command.reached.some(({ stage }) => stage === 'postflight')) return;
  if (taskList.isArchived(task.number) || endStatuses.some((one) => one === task.status)) throw unwanted(row, task);
}

/** What it was begun with; a plan that somebody has changed since, other than by marks, is other work. */
async function isSamePlan(project: string, { plan, planKey }: CommandWorkflow): Promise<boolean> {
  if (plan === undefined) return true;
  const text = await readInside(project, plan);
  return text !== undefined && planKeyOf(text) === planKey;
}

/** With another prompt, it is other work. */
function asksForSame({ workflow, prompt }: CommandRunRow, request: CommandRequest): boolean {
  if (request.isNew === true || workflow.command !== request.command) return false;
  if (request.language !== undefined && request.language.toLowerCase() !== workflow.language) return false;
  return request.prompt === '' || request.prompt === prompt;
}

/**
 * What failed as a whole has left nothing to go on from. What was said in the wrong form, or does not hold yet, is there: it is not
 * done again, and its agent is told what was found.
 */
function isWorthResuming(state: RunState): boolean {
  if (!isOver(state.status)) return true;
  return commandEnd(state) !== 'failed' || tasksDone(state).length > 0;
}

/** In the transaction that begins the run: of two who give a command at the same moment, one does. One that goes on is in nobody's way but another's. */
export function refuseOther(ledger: Ledger, { number }: CommandWorkflow, own?: RunId): void {
  const row = findCommandRun(ledger, number);
  if (row !== undefined && row.run !== own && !isOver(row.status)) throw atWork(row);
}
