/** What was verified about a task or a run, and whether it still holds: claim against fact, then and now. */
import { tuttiError } from '../contracts/error.ts';
import { oneLine } from '../contracts/flatten.ts';
import type { RunState } from '../core/state.ts';
import type { TaskState } from '../core/task-state.ts';
import { readLedger } from '../runtime.ts';
import { foldRun } from '../scheduler/fold-run.ts';
import { runHead, runRepository } from '../scheduler/run-repository.ts';
import { runWorkspace } from '../scheduler/run-workspace.ts';
import { type Again, verifyAgain } from '../scheduler/verify-again.ts';
import { counted } from '../views/counted.ts';
import { type Proof, proofLines, proofText } from '../views/proof-text.ts';
import { statusWord, taskReport } from '../views/task-report.ts';
import { commitOf } from '../workspace/git/look-up.ts';
import { findRun, findTask, namesRun } from './find-run.ts';
import { type Answer, exitCodes, warn } from './output.ts';

interface Verified {
  readonly task: string;
  readonly title: string;
  readonly status: string;
  /** What was found out when it was done; absent where nobody looked, as for reviews and for what was ticked. */
  readonly then?: Proof;
  /** What is found out now; absent for what has not completed. */
  readonly now?: Again;
  /** Absent where there is nothing to say. */
  readonly holds?: boolean;
}

export async function verify(project: string, name: string | undefined): Promise<Answer> {
  const { state, tasks } = subjects(project, name);
  const { run } = state.created;
  const at = await runRepository(state, project, process.env);
  const commit = await runHead(at, state);
  if ((await commitOf(at.repository, commit)) === undefined) throw nothingLeft(run);
  const workspace = runWorkspace(state, at.facts, {
    project,
    repository: at.repository,
    environment: process.env,
    warn,
  });
  const now = await stoppable((signal) => verifyAgain(state, tasks, { workspace, commit, signal }));
  if (now === undefined) {
    return { code: exitCodes.cancelled, json: { run, stopped: true }, text: 'stopped; nothing was found out' };
  }
  const all = tasks.map((task) => verifiedOf(state, task, now.get(task.planned.id)));
  const holds = all.every((one) => one.holds !== false);
  const json = { run, branch: at.facts.branch, commit, holds, tasks: all };
  return { code: holds ? exitCodes.valid : exitCodes.violations, json, text: verifyText(json) };
}

interface Subjects {
  readonly state: RunState;
  /** The task, or all that the run has worked on. */
  readonly tasks: readonly TaskState[];
}

function subjects(project: string, name: string | undefined): Subjects {
  const ledger = readLedger(project);
  try {
    if (name !== undefined && !namesRun(ledger, name)) {
      const { state, task } = findTask(ledger, name);
      return { state, tasks: [task] };
    }
    const { run } = findRun(ledger, name);
    const state = foldRun(ledger, run);
    const fixes = [...state.gateTasks.values()].filter(({ verification }) => verification !== null);
    return { state, tasks: [...state.tasks.values(), ...fixes] };
  } finally {
    ledger.close();
  }
}

function nothingLeft(run: string): Error {
  return tuttiError('RUN_UNKNOWN', {
    message: `nothing is left of the work of ${run}`,
    next: `Its branch was removed; \`tutti report ${run}\` shows what was verified at the time.`,
    ids: { run },
  });
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal ends what runs, and leaves no folder behind; undefined then. */
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

function verifiedOf(state: RunState, task: TaskState, now: Again | undefined): Verified {
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
    ...(then === undefined ? {} : { then }),
    ...(now === undefined ? {} : { now }),
    ...(holds === undefined ? {} : { holds }),
  };
}

function verifyText({
  run,
  branch,
  commit,
  tasks,
}: {
  readonly run: string;
  readonly branch: string;
  readonly commit: string;
  readonly tasks: readonly Verified[];
}): string {
  const known = tasks.filter(({ holds }) => holds !== undefined);
  const held = known.filter(({ holds }) => holds).length;
  const head = `${run}, ${branch} at ${commit.slice(0, 10)}: ${held} of ${counted(known.length, 'task')} ${known.length === 1 ? 'holds' : 'hold'}`;
  return [head, ...tasks.flatMap(taskLines)].join('\n');
}

const words = { true: 'holds', false: 'does not hold', undefined: 'not verified' } as const;

function taskLines({ task, title, status, then, now, holds }: Verified): string[] {
  const lines = [`  ${task} ${oneLine(title, 60)} – ${statusWord(status)}: ${words[`${holds}`]}`];
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
