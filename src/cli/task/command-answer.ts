/** Turns the end of a task command into its result brief, JSON and exit code. */
import { join } from 'node:path';
import type { RunState } from '../../core/state/state.ts';
import { commandBrief } from '../../views/command/command-brief.ts';
import { type CommandReport, commandReport } from '../../views/command/command-report.ts';
import { stateFolder } from '../../workspace/places.ts';
import { type Answer, exitCodes } from '../output.ts';

export function commandAnswer(state: RunState, project: string): Answer {
  const report = withReturnFound(commandReport(state), stateFolder(project));
  return { code: codeOf(state, report), json: report, text: commandBrief(report) };
}

/** People get the path of a return in full. */
function withReturnFound(report: CommandReport, folder: string): CommandReport {
  const { trouble } = report;
  if (trouble?.returned === undefined) return report;
  return { ...report, trouble: { ...trouble, returned: join(folder, trouble.returned) } };
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
