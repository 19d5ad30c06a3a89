/** Run summary: the document written beside the reports when a run rests or waits for an answer. Others' words cannot become structure. */
import { itemText } from '../../plan/edit-plan.ts';
import { isOver } from '../../core/state/state.ts';
import { counted, shortDuration } from '../text/quantity.ts';
import { checkText, proofLines, proofText } from './proof-text.ts';
import { reviewsOff } from './report-lines.ts';
import { mergeCommand } from '../text/typed-commands.ts';
import type { RunReport } from './run-report.ts';
import { progressWord, type TaskReport } from './task-report.ts';
import { tokensSpent } from './usage-text.ts';

/** A line of a section, and the lines below it. */
type Item = readonly [line: string, ...below: string[]];

function section(title: string, items: readonly Item[]): string[] {
  if (items.length === 0) return [];
  const lines = items.flatMap(([line, ...below]) => [`- ${line}`, ...below.map((one) => `  - ${one}`)]);
  return ['', `## ${title}`, '', ...lines];
}

function taskItem(report: TaskReport): Item {
  const { verification, failure } = report;
  const checks = (report.checks ?? []).map((row) => itemText(checkText(row)));
  if (verification === undefined) return [taskText(report, failure?.message), ...checks];
  // The findings below say why.
  const isRefused = verification.verdict === 'rejected' && failure?.class === 'verification-failed';
  const proof = [proofText(verification, report.changedSince), ...proofLines(verification)];
  return [taskText(report, isRefused ? '' : failure?.message), ...proof.map(itemText), ...checks];
}

function taskText(report: TaskReport, failure: string | undefined): string {
  const { task, title, status, attempts, tier, summary, report: file, because } = report;
  const tries = attempts > 1 ? `, ${attempts} attempts, the last at tier ${tier}` : '';
  const words = failure ?? because ?? summary ?? '';
  const where = file === undefined ? '' : ` → ${file}`;
  return itemText(`${task} ${title}: ${progressWord(status)}${tries}${words === '' ? '' : `: ${words}`}${where}`);
}

function workText(report: RunReport): string[] {
  const { run, status, workspace } = report;
  if (workspace === undefined || workspace.head === workspace.base) return [];
  const merge = isOver(status) ? `, \`${mergeCommand(report)}\` merges it` : '';
  return ['', `Work: branch \`${workspace.branch}\`. \`divisi diff ${run}\` shows it${merge}.`];
}

export function runSummary(report: RunReport): string {
  const { run, title, status, tasks, gates, findings, files, spent, features } = report;
  const halted = (features?.halted ?? []).map(({ feature, why }): Item => [itemText(`${feature} halted: ${why}`)]);
  const open = findings
    .filter(({ isFixed }) => !isFixed)
    .map(({ id, action }): Item => [itemText(`${id}: ${action}, not fixed`)]);
  const trouble = tasks.filter((task) => task.status !== 'completed').map(taskItem);
  const degraded = [...tasks, ...gates].flatMap(({ task, degraded: flags }): Item[] =>
    flags === undefined ? [] : [[itemText(`${task}: ${flags.join(', ')}`)]],
  );
  const notes = [...tasks, ...gates].flatMap(({ task, notes: said = [] }) =>
    said.map((note): Item => [itemText(`${task}: ${note}`)]),
  );
  const silent = spent.silent === 0 ? '' : `; ${counted(spent.silent, 'delegation')} reported no usage`;
  return [
    `# ${itemText(title)}`,
    '',
    `${run}: ${status}${report.reason === undefined ? '' : ` (${itemText(report.reason)})`}. ${features === undefined ? '' : `${features.completed} of ${counted(features.all, 'feature')} completed, `}${tasks.filter((task) => task.status === 'completed').length} of ${counted(tasks.length, 'task')} completed, ${counted(spent.delegations, 'delegation')}, ${shortDuration(spent.milliseconds)} of work, ${tokensSpent(spent)}${silent}.`,
    ...(status === 'running'
      ? ['', `Written while the run worked; \`divisi status ${run}\` says where it is now.`]
      : []),
    ...(report.reviews === 'off' ? ['', `${reviewsOff}.`] : []),
    ...workText(report),
    ...section(
      'Waiting for an answer',
      report.checkpoints.map(({ checkpoint, why, approve, reject, otherwise }): Item => [
        itemText(`${checkpoint}: ${why}`),
        itemText(`divisi approve ${run} --checkpoint ${checkpoint}: ${approve}`),
        itemText(`divisi reject ${run} --checkpoint ${checkpoint}: ${reject}`),
        ...otherwise.map((instead) => itemText(`or: ${instead.replace(/ {2,}/, ': ')}`)),
      ]),
    ),
    ...section('Open', [...halted, ...trouble, ...open]),
    ...section(
      'Rejected without a person (--on-trouble reject)',
      (report.unattended ?? []).map(({ checkpoint, why }): Item => [itemText(`${checkpoint}: ${why}`)]),
    ),
    ...section('Degraded', degraded),
    ...section('Notes', notes),
    ...section('Done', tasks.filter((task) => task.status === 'completed').map(taskItem)),
    ...section('Reviews and fixes', gates.map(taskItem)),
    ...section(
      'Files',
      files.map((file): Item => [itemText(file)]),
    ),
    '',
  ].join('\n');
}
