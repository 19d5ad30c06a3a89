/** `divisi verify`: verifies a task or a run again and compares with the first verification. */
import { defined } from '../../base/defined.ts';
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunState } from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { foreignCommits, runHead, runRepository } from '../../run-work/run-repository.ts';
import { runWorkspace } from '../../run-work/run-workspace.ts';
import { type Reverification, verifyAgain } from '../../run-work/verify-again.ts';
import { counted } from '../../views/text/quantity.ts';
import { type Proof, proofLines, proofText } from '../../views/run/proof-text.ts';
import { progressWord, taskReport } from '../../views/run/task-report.ts';
import { commitOf } from '../../workspace/git/commit-of.ts';
import { findRun, findRunTask, namesRun } from '../../project/find-run.ts';
import { isTerminal } from '../ask.ts';
import { type Answer, exitCodes, warn } from '../output.ts';
import { requireTrust } from '../../project/trust/trust.ts';

interface Verified {
  readonly task: string;
  readonly title: string;
  readonly status: string;
  /** First verification; absent for reviews and for tasks that were only ticked. */
  readonly then?: Proof;
  /** Verification now; absent for tasks that have not completed. */
  readonly now?: Reverification;
  /** Absent if neither verification has a verdict. */
  readonly holds?: boolean;
}

export async function verify(project: string, name: string | undefined): Promise<Answer> {
  requireTrust({ project, environment: process.env });
  const { state: then, tasks, isRun } = subjects(project, name);
  const { run } = then.created;
  const at = await runRepository(then, project, process.env);
  const commit = await runHead(at, then);
  // Read after the head: commits that a running run has merged meanwhile are then known as its own.
  const state = stateOf(project, run);
  // A person who asks for this in a terminal allows the plan's commands.
  if (isTerminal()) state.confirmed = true;
  if ((await commitOf(at.repository, commit)) === undefined) throw nothingLeft(run);
  const workspace = runWorkspace(state, {
    project,
    repository: at.repository,
    environment: process.env,
    warn,
  });
  const now = await stoppable((signal) => verifyAgain(state, tasks, { workspace, commit, signal }));
  if (now === undefined) {
    return { code: exitCodes.cancelled, json: { run, stopped: true }, text: 'stopped; nothing was verified' };
  }
  const all = tasks.map((task) => verifiedOf(state, task, now.get(task.planned.id)));
  // A rejected task of a run does not count: its work is not in the branch.
  const holds = all.every((one) => one.holds !== false || (isRun && !counts(one)));
  const foreign = await foreignCommits(at, state, commit);
  const json = { run, branch: at.facts.branch, commit, foreign, holds, tasks: all };
  return { code: holds ? exitCodes.valid : exitCodes.violations, json, text: verifyText(json) };
}

interface Subjects {
  readonly state: RunState;
  /** The task, or all tasks of the run. */
  readonly tasks: readonly TaskState[];
  readonly isRun: boolean;
}

function stateOf(project: string, run: RunId): RunState {
  const ledger = readLedger(project);
  try {
    return foldRun(ledger, run);
  } finally {
    ledger.close();
  }
}

function subjects(project: string, name: string | undefined): Subjects {
  const ledger = readLedger(project);
  try {
    if (name !== undefined && !namesRun(ledger, name)) {
      const { state, task } = findRunTask(ledger, name);
      return { state, tasks: [task], isRun: false };
    }
    const { run } = findRun(ledger, name);
    const state = foldRun(ledger, run);
    const fixes = [...state.gateTasks.values()].filter(({ attempt }) => (attempt?.verification ?? null) !== null);
    return { state, tasks: [...state.tasks.values(), ...fixes], isRun: true };
  } finally {
    ledger.close();
  }
}

function nothingLeft(run: string): Error {
  return divisiError('RUN_UNKNOWN', {
    message: `nothing is left of the work of ${run}`,
    next: `Its branch was removed; \`divisi report ${run}\` shows what was verified at the time.`,
    ids: { run },
  });
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal stops the checks and removes the room; undefined then. */
async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) return undefined;
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

function verifiedOf(state: RunState, task: TaskState, now: Reverification | undefined): Verified {
  const { title, status, verification: then } = taskReport(state, task);
  const holds =
    now === undefined
      ? then?.verdict === 'rejected'
        ? false
        : undefined
      : !now.findings.some(({ rejects }) => rejects);
  return {
    task: task.planned.id,
    title,
    status,
    ...defined({ then, now, holds }),
  };
}

const counts = ({ status }: Verified): boolean => status === 'completed';

interface Found {
  readonly run: string;
  readonly branch: string;
  readonly commit: string;
  readonly foreign: number;
  readonly tasks: readonly Verified[];
}

function verifyText({ run, branch, commit, foreign, tasks }: Found): string {
  const known = tasks.filter((one) => counts(one) && one.holds !== undefined);
  const held = known.filter(({ holds }) => holds).length;
  const holding = `${held} of ${counted(known.length, 'completed task')} ${known.length === 1 ? 'holds' : 'hold'}`;
  const head = `${run}, ${branch} at ${commit.slice(0, 10)}: ${holding}`;
  const look = `  inspect: the branch has ${counted(foreign, 'commit')} that no task made and Divisi has not verified`;
  return [head, ...(foreign === 0 ? [] : [look]), ...tasks.flatMap(taskLines)].join('\n');
}

function standing(verified: Verified): string {
  const { then, holds } = verified;
  if (then === undefined || (holds === undefined && counts(verified))) return 'not verified';
  if (counts(verified)) return holds === true ? 'holds' : 'does not hold';
  return then.verdict === 'rejected' ? 'refused, and not merged' : 'not merged';
}

function taskLines(verified: Verified): string[] {
  const { task, title, status, then, now } = verified;
  const lines = [`  ${task} ${oneLine(title, 60)} – ${progressWord(status)}: ${standing(verified)}`];
  if (then !== undefined) lines.push(`    then ${proofText(then)}`, ...proofLines(then).map((line) => `      ${line}`));
  if (now !== undefined) {
    const found = proofLines(now);
    lines.push(
      `    now ${found.length === 0 ? 'nothing to object' : ''}`.trimEnd(),
      ...found.map((line) => `      ${line}`),
    );
  }
  return lines;
}
