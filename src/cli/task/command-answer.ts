/** Turns the end of a task command into its result brief, JSON and exit code. */
import type { RunState } from '../../core/state/state.ts';
import { commandBrief } from '../../views/command/command-brief.ts';
import { type CommandReport, commandReport } from '../../views/command/command-report.ts';
import { type Answer, exitCodes } from '../output.ts';

export function commandAnswer(state: RunState): Answer {
  const report = commandReport(state);
  return { code: codeOf(state, report), json: report, text: commandBrief(report) };
}

function codeOf({ status, needsAnswer }: RunState, { end }: CommandReport): Answer['code'] {
  if (status === 'paused') return needsAnswer ? exitCodes.needsAnswer : exitCodes.paused;
  switch (end) {
    case 'completed':
      return exitCodes.completed;
    case 'partial':
    case 'open':
      return exitCodes.paused;
    case 'blocked':
    case 'failed':
    case 'invalid':
      return exitCodes.failed;
    case 'cancelled':
      return exitCodes.cancelled;
    default:
      return end satisfies never;
  }
}
