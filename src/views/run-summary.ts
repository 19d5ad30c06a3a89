/** What came of a run, as a document: kept beside its reports when it is over. Others' words in it cannot become structure. */
import { itemText } from '../plan/edit-plan.ts';
import { counted } from './counted.ts';
import { shortDuration } from './duration.ts';
import type { RunReport, TaskReport } from './run-report.ts';

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines.map((line) => `- ${line}`)];
}

function taskText({ task, title, status, attempts, tier, summary, failure, report, because }: TaskReport): string {
  const tries = attempts > 1 ? `, ${attempts} attempts, the last one ${tier}` : '';
  const words = failure?.message ?? because ?? summary ?? '';
  const where = report === undefined ? '' : ` → ${report}`;
  return itemText(`${task} ${title}: ${status}${tries}${words === '' ? '' : `: ${words}`}${where}`);
}

export function runSummary(report: RunReport): string {
  const { run, title, status, tasks, gates, findings, files, spent } = report;
  const open = findings
    .filter(({ isFixed }) => !isFixed)
    .map(({ id, action }) => itemText(`${id}: ${action}, not mended`));
  const trouble = tasks.filter((task) => task.status !== 'completed').map(taskText);
  const degraded = [...tasks, ...gates].flatMap(({ task, degraded: flags }) =>
    flags === undefined ? [] : [itemText(`${task}: ${flags.join(', ')}`)],
  );
  const silent =
    spent.silent === 0
      ? ''
      : `; ${counted(spent.silent, 'delegation')} did not say what ${spent.silent === 1 ? 'it' : 'they'} used`;
  return [
    `# ${itemText(title)}`,
    '',
    `${run}: ${status}. ${tasks.filter((task) => task.status === 'completed').length} of ${counted(tasks.length, 'task')} completed, ${counted(spent.delegations, 'delegation')}, ${shortDuration(spent.milliseconds)} of work, ${spent.tokens} tokens${silent}.`,
    ...section('Open', [...trouble, ...open]),
    ...section('Worth a look', degraded),
    ...section('Done', tasks.filter((task) => task.status === 'completed').map(taskText)),
    ...section('Reviews and fixes', gates.map(taskText)),
    ...section(
      'Files',
      files.map((file) => itemText(file)),
    ),
    '',
  ].join('\n');
}
