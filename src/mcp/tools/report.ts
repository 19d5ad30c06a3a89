/** The tool `report`: returns a task's report by sections. */
import { readLedger } from '../../project/project-ledger.ts';
import { findRun, findRunTask } from '../../project/find-run.ts';
import { readReport } from '../../project/read-report.ts';
import { reportBrief, sectionBrief } from '../../views/brief/report-brief.ts';
import { withRecorded } from '../../views/run/report-sections.ts';
import { taskReport } from '../../views/run/task-report.ts';
import type { ToolAnswer } from '../caller.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Inputs } from './tools.ts';

export async function reportTool(
  { project }: ServerDeps,
  { task, section, run }: Inputs['report'],
): Promise<ToolAnswer> {
  const ledger = readLedger(project);
  try {
    const found = findRunTask(ledger, run === undefined ? task : `${findRun(ledger, run).run}/${task}`);
    const { path, text, outcome } = await readReport(project, found);
    const whole = { run: found.row.run, path, text: withRecorded(text, outcome) };
    const { id } = found.task.planned;
    if (section !== undefined) return { text: sectionBrief(id, whole, section) };
    return { text: reportBrief(taskReport(found.state, found.task), whole) };
  } finally {
    ledger.close();
  }
}
