/** What is printed when a run has come to rest. */
import { oneLine } from '../../base/text.ts';
import { isOver, type RunStatus } from '../../core/state/state.ts';
import { questionTexts } from './checkpoint-question.ts';
import { counted } from '../text/quantity.ts';
import { countsLine, findingLines, nextText, standText, taskLines } from './report-lines.ts';
import type { RunReport } from './run-report.ts';

/** What was done, what failed and why, where the reports are, what to do next. */
export function summaryText(report: RunReport, reportFolder: string): string {
  const { run, tasks, files } = report;
  const trouble = tasks.filter(({ status: of }) => !['completed', 'pending', 'running'].includes(of));
  const lines = ['', `${run}: ${standText(report)}. ${countsLine(report)}.`];
  lines.push(...trouble.slice(0, 20).flatMap(taskLines));
  if (trouble.length > 20) lines.push(`  … and ${trouble.length - 20} more: divisi status ${run}`);
  lines.push(...findingLines(report, 'put off, not mended'));
  if (files.length > 0) {
    lines.push(
      `files: ${files
        .slice(0, 20)
        .map((file) => oneLine(file, 80))
        .join(', ')}${files.length > 20 ? ` and ${files.length - 20} more` : ''}`,
    );
  }
  lines.push(
    `reports: ${reportFolder}`,
    ...(report.plan === '' ? [] : [`plan: ${oneLine(report.plan, 300)}`]),
    ...offerLines(report),
    ...questionTexts(report.checkpoints, report.run),
  );
  const next = nextText(report);
  return (next === '' ? lines : [...lines, next]).join('\n');
}

/** The work is the user's to take or to leave. */
function offerLines({ run, status, workspace }: RunReport): string[] {
  if (workspace === undefined) return [];
  const { kind, branch, base, head, commits, files, foreign } = workspace;
  const yours = kind === 'git' ? 'your checkout' : 'your folder';
  if (head === base) return [`work: nothing was merged; nothing has been changed in ${yours}`];
  return [
    `work: branch ${branch}, ${counted(commits, 'commit')}, ${counted(files, 'file')}; nothing has been changed in ${yours}`,
    ...(foreign === 0
      ? []
      : [`look at it: ${counted(foreign, 'commit')} on that branch no task made, and nobody has verified`]),
    ...(isOver(status as RunStatus)
      ? [`take it: divisi merge ${run} brings it into ${yours}, divisi diff ${run} shows it first`]
      : []),
  ];
}
