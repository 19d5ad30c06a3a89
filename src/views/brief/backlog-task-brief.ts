/** Backlog task brief: the outcome of a task command for the caller's context: the task's status, trouble, the next step. */
import { flatten } from '../../base/text.ts';
import { isOver, type RunState } from '../../core/state/state.ts';
import { type BriefPiece, framedBrief } from './brief-frame.ts';
import { type CommandReport, commandReport } from '../command/command-report.ts';
import { escapeXml, fit } from '../text/escape.ts';
import { callText, nextCall } from './next-call.ts';
import { runPieces, type RunBriefOptions, runBudget } from './run-brief.ts';
import { type RunReport, runReport } from '../run/run-report.ts';
import type { ShownStatus } from '../run/shown-status.ts';

/** Together with the call, it stays within a run's budget. */
const commandBudget = runBudget - 40;

export function backlogTaskBrief(
  state: RunState,
  { budget = commandBudget, shown = state.status }: RunBriefOptions = {},
): string {
  const [report, command] = [runReport(state), commandReport(state)];
  const pieces = runPieces(report);
  const isNote = ({ tag }: BriefPiece): boolean => tag === 'note';
  return framedBrief({
    run: report.run,
    status: shown,
    facts: factsOf(command),
    pieces: [
      ...ownPieces(command),
      ...pieces.filter((one) => !isNote(one)),
      ...advicePieces(command),
      ...pieces.filter(isNote),
    ],
    next: nextFor(report, command, shown),
    budget,
  });
}

const short = (text: string): string => fit(flatten(text), 40, escapeXml);

function factsOf({ command, number, status, phases }: CommandReport): string[] {
  const all = phases === undefined ? 0 : phases.done.length + phases.open.length;
  return [
    ` command="${short(command)} ${number}"`,
    ...(status === undefined ? [] : [` task="${short(status)}"`]),
    ...(phases === undefined ? [] : [` phases="${phases.done.length}/${all}"`]),
  ];
}

/** Failed steps first, then artifacts. */
function ownPieces({ undone, artifacts }: CommandReport): BriefPiece[] {
  return [
    ...undone.map(({ fact, why }) => ({ tag: 'not-done', of: fact, text: why === '' ? 'not done' : why })),
    ...(artifacts.length === 0 ? [] : [{ tag: 'artifacts', of: '', text: artifacts.join(', ') }]),
  ];
}

/** What the agent itself recommends. */
function advicePieces({ trouble, nextSteps }: CommandReport): BriefPiece[] {
  const { errors = [], recommendation: ours } = trouble ?? {};
  const advice = errors.flatMap(({ recommendation, recoverable }) =>
    recommendation === undefined || recommendation === ours
      ? []
      : [{ tag: 'recommends', of: '', text: `${recoverable ? '' : 'not recoverable: '}${recommendation}` }],
  );
  return [...advice, ...(nextSteps === undefined ? [] : [{ tag: 'next-steps', of: '', text: nextSteps }])];
}

/** The usual next command. */
const following: Readonly<Record<string, string>> = {
  research: 'plan',
  plan: 'implement',
  revise: 'implement',
  implement: 'review',
};

function nextFor(report: RunReport, { command, number, trouble }: CommandReport, status: ShownStatus): string {
  const { run, tasks } = report;
  if (!isOver(status)) return nextCall(report, status);
  const give = (name: string): string => callText('run', { command: `${name} ${number}` });
  const after = status === 'completed' ? following[command] : undefined;
  if (after !== undefined) return `${give(after)}, if the person wants it.`;
  const more = callText('report', { task: trouble?.task ?? tasks[0]?.task ?? '', run });
  return status === 'completed' ? `${more} shows more.` : `${more} says why; ${give(command)} retries.`;
}
