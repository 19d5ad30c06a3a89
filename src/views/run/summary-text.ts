/** Summary text: printed when a run ends or pauses. */
import { oneLine } from '../../base/text.ts';
import { isOver } from '../../core/state/state.ts';
import { baseLines } from './base-text.ts';
import { questionTexts } from './question-text.ts';
import { counted } from '../text/quantity.ts';
import { noteLines } from './note-lines.ts';
import { countsLine, findingLines, nextText, reviewsOff, standText, taskLines, doubtLines } from './report-lines.ts';
import { mergeCommand } from '../text/typed-commands.ts';
import type { RunReport } from './run-report.ts';

export function summaryText(report: RunReport, reportFolder: string): string {
  const { run, tasks, files } = report;
  const trouble = tasks.filter(({ status: of }) => !['completed', 'pending', 'running'].includes(of));
  const lines = ['', `${run}: ${standText(report)}. ${countsLine(report)}.`];
  lines.push(...trouble.slice(0, 20).flatMap(taskLines));
  if (trouble.length > 20) lines.push(`  … and ${trouble.length - 20} more: divisi status ${run}`);
  lines.push(
    ...(report.unattended ?? []).map(
      ({ checkpoint, why }) => `rejected without a person (--on-trouble reject): ${checkpoint}: ${oneLine(why, 160)}`,
    ),
  );
  lines.push(...baseLines(report.base ?? []));
  if (report.reviews === 'off') lines.push(reviewsOff);
  lines.push(...doubtLines(report));
  lines.push(...findingLines(report, 'deferred, not fixed'), ...noteLines(report));
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

function offerLines(report: RunReport): string[] {
  const { run, status, workspace } = report;
  if (workspace === undefined) return [];
  const { kind, branch, base, head, commits, files, foreign } = workspace;
  const yours = kind === 'git' ? 'your checkout' : 'your folder';
  if (head === base) return [`work: nothing merged; ${yours} is unchanged`];
  return [
    `work: branch ${branch}, ${counted(commits, 'commit')}, ${counted(files, 'file')}; ${yours} is unchanged`,
    ...(foreign === 0
      ? []
      : [`inspect: the branch has ${counted(foreign, 'commit')} that no task made and Divisi has not verified`]),
    ...(isOver(status)
      ? [`to merge it into ${yours}: ${mergeCommand(report)}; to inspect it first: divisi diff ${run}`]
      : []),
  ];
}
