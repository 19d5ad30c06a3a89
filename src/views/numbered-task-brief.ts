/** A command about a numbered task, for the context of whoever gave it: the task's status, what came of it, what is next. */
import { flatten } from '../contracts/flatten.ts';
import { findTask, type RunState } from '../core/state.ts';
import { type CommandWorkflow, postflightFacts } from '../core/workflow.ts';
import type { TaskStatus } from '../todo/task-status.ts';
import { type BriefPiece, framedBrief } from './brief-frame.ts';
import { escapeXml, fit } from './escape.ts';
import { callText, nextCall } from './next-call.ts';
import { piecesOf, type RunBriefOptions, runBudget } from './run-brief.ts';
import { type RunReport, runReport } from './run-report.ts';

interface NumberedBriefOptions extends RunBriefOptions {
  /** Of the numbered task, as the task book has it now. */
  readonly taskStatus?: TaskStatus;
}

export function numberedTaskBrief(
  state: RunState,
  workflow: CommandWorkflow,
  { budget = runBudget, isInterrupted = false, taskStatus }: NumberedBriefOptions = {},
): string {
  const report = runReport(state);
  const { command, number } = workflow;
  const done = report.tasks.filter(({ status }) => status === 'completed').length;
  const facts = [
    ` command="${fit(flatten(command), 40, escapeXml)} ${number}"`,
    ...(taskStatus === undefined ? [] : [` task="${taskStatus}"`]),
    ...(report.tasks.length === 1 ? [] : [` phases="${done}/${report.tasks.length}"`]),
  ];
  const pieces = [...undoneOf(state), ...artifactsOf(state), ...piecesOf(report)];
  const next = nextFor(report, workflow, isInterrupted);
  const status = isInterrupted ? 'interrupted' : report.status;
  return framedBrief({ run: report.run, status, facts, pieces, next, budget });
}

/** What postflight could not do, and why. */
function undoneOf({ command: { facts } }: RunState): BriefPiece[] {
  return postflightFacts.flatMap((of) => {
    const { done = true, note = '' } = facts[of] ?? {};
    return done ? [] : [{ tag: 'not-done', of, text: note === '' ? 'not done' : note }];
  });
}

/** What the agents say that they have written. */
function artifactsOf(state: RunState): BriefPiece[] {
  const paths = new Set<string>();
  for (const id of state.tasks.keys()) {
    const progress = findTask(state, id)?.progress;
    const told = progress !== undefined && 'outcome' in progress ? progress.outcome?.told : undefined;
    for (const { path } of told?.artifacts ?? []) paths.add(path);
  }
  return paths.size === 0 ? [] : [{ tag: 'artifacts', of: '', text: [...paths].join(', ') }];
}

/** What usually follows from a command that has completed. */
const following: Readonly<Record<string, string>> = {
  research: 'plan',
  plan: 'implement',
  revise: 'implement',
  implement: 'review',
};

function nextFor(report: RunReport, { command, number }: CommandWorkflow, isInterrupted: boolean): string {
  const { run, status, tasks } = report;
  const give = (name: string): string => callText('run', { command: `${name} ${number}` });
  if (isInterrupted || status === 'running' || status === 'paused') return nextCall(report, isInterrupted);
  const after = status === 'completed' ? following[command] : undefined;
  if (after !== undefined) return `${give(after)}, if the person wants it.`;
  const open = tasks.find((one) => one.status !== 'completed') ?? tasks[0];
  const more = callText('report', { task: open?.task ?? '', run });
  return status === 'completed' ? `${more} has more.` : `${more} says why; ${give(command)} tries again.`;
}
