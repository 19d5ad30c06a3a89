/** Status text: renders a run's report for a terminal. */
import { oneLine } from '../../base/text.ts';
import { baseLines } from './base-text.ts';
import { questionTexts } from './question-text.ts';
import { counted, shortDuration } from '../text/quantity.ts';
import { noteLines } from './note-lines.ts';
import {
  countsLine,
  findingLines,
  doubtLines,
  isAnswered,
  mostGateLines,
  nextText,
  standText,
  taskLines,
} from './report-lines.ts';
import type { RunReport } from './run-report.ts';
import { costSpent, tokensSpent } from './usage-text.ts';

/** Tasks keep the order of the plan; long lists leave out completed and pending tasks. */
export function statusText(report: RunReport, now: number, commands: readonly string[] = [], most = 60): string {
  const { run, title, plan, tasks, delegations } = report;
  const all =
    tasks.length <= most ? tasks : tasks.filter((task) => task.status !== 'completed' && task.status !== 'pending');
  const shown = all.slice(0, most);
  const lines = [
    `${run} ${oneLine(title, 100)}: ${standText(report)}`,
    ...(plan === '' ? [] : [`plan ${oneLine(plan, 300)}`]),
    countsLine(report),
    spentLine(report),
    ...shown.flatMap(taskLines),
  ];
  lines.push(...baseLines(report.base ?? []).map((line) => `  ${line}`));
  lines.push(...doubtLines(report).map((line) => `  ${line}`));
  lines.push(...gateLines(report), ...noteLines(report).map((line) => `  ${line}`));
  if (shown.length < tasks.length) lines.push(`  … and ${tasks.length - shown.length} more; --json has them all`);
  for (const { delegation, task, agent, path, deadline, since, pid, liveness } of delegations) {
    const where = pid === undefined ? '' : `, process ${pid}`;
    const left = deadline - now;
    const time = left > 0 ? `${shortDuration(left)} left` : 'past its deadline';
    lines.push(
      `  ${delegation}: ${task} by ${oneLine(agent, 60)}, ${oneLine(path.join(' → '), 200)}, for ${shortDuration(now - since)}, ${time}${where}`,
    );
    if (liveness !== undefined) lines.push(`    ${liveness.state}: ${liveness.evidence}`);
  }
  lines.push(...commands.map((line) => `  ${line}`));
  lines.push(...branchLines(report), ...questionTexts(report.checkpoints, report.run));
  if (isAnswered(report)) lines.push(nextText(report));
  return lines.join('\n');
}

/** The latest reviews and fixes, then deferred findings. */
function gateLines(report: RunReport): string[] {
  return [...report.gates.slice(-mostGateLines).flatMap(taskLines), ...findingLines(report, '  deferred')];
}

function branchLines({ workspace }: RunReport): string[] {
  return workspace === undefined || workspace.head === workspace.base ? [] : [`work: branch ${workspace.branch}`];
}

function spentLine({ spent, budgets }: RunReport): string {
  const parts = [
    budgets.delegations === undefined
      ? counted(spent.delegations, 'delegation')
      : `${spent.delegations} of ${counted(budgets.delegations, 'delegation')}`,
    `${shortDuration(spent.milliseconds)}${budgets.minutes === undefined ? '' : ` of ${budgets.minutes} minutes`}`,
  ];
  if (spent.tokens > 0 || budgets.tokens !== undefined) parts.push(tokensSpent(spent, budgets.tokens));
  if (spent.cost > 0 || budgets.cost !== undefined) parts.push(costSpent(spent, budgets.cost));
  const known = spent.tokens > 0 || spent.cost > 0 || budgets.tokens !== undefined || budgets.cost !== undefined;
  if (known && spent.silent > 0) {
    parts.push(`${counted(spent.silent, 'delegation')} reported no usage`);
  }
  return `spent: ${parts.join(', ')}`;
}
