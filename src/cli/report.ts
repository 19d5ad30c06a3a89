/** What became of a run, or the report of one of its tasks: whole, or one section of it. */
import { tuttiError } from '../contracts/error.ts';
import type { Verification } from '../core/verification.ts';
import { readLedger } from '../runtime.ts';
import { filesOf, runFolder } from '../delegation/delegation-files.ts';
import { foldRun } from '../ledger/fold-run.ts';
import { terminalText } from '../views/escape.ts';
import { proofLines, proofText } from '../views/proof-text.ts';
import { runReport } from '../views/run-report.ts';
import { summaryText } from '../views/summary-text.ts';
import { usageText } from '../views/usage-text.ts';
import { readInside } from '../workspace/project-path.ts';
import { findRun, findTask, type FoundTask, namesRun } from './find-run.ts';
import { type Answer, exitCodes } from './output.ts';

export async function report(project: string, name: string | undefined, section: string | undefined): Promise<Answer> {
  const ledger = readLedger(project);
  try {
    if (name === undefined || namesRun(ledger, name)) {
      const state = foldRun(ledger, findRun(ledger, name).run);
      const whole = runReport(state);
      const text = summaryText(whole, `${runFolder(state.created.run)}/reports`);
      return { code: exitCodes.completed, json: whole, text: text.trimStart() };
    }
    return await taskReport(project, findTask(ledger, name), section);
  } finally {
    ledger.close();
  }
}

async function taskReport(project: string, { row, task }: FoundTask, section: string | undefined): Promise<Answer> {
  const { id } = task.planned;
  // Under the name that the task had then.
  const outcome = 'outcome' in task.progress ? task.progress.outcome : undefined;
  const path = outcome?.report ?? filesOf(row.run, task.wave, id, '').report;
  const text = await readInside(project, path);
  if (text === undefined) {
    throw tuttiError('TASK_UNKNOWN', {
      message: `task ${id} has no report (it is ${task.progress.status})`,
      next: `\`tutti logs ${row.run}/${id}\` shows what its agent said.`,
      ids: { run: row.run, task: id, file: path },
    });
  }
  const shown = section === undefined ? text : sectionOf(text, section, path);
  const { verification } = task;
  const usage = outcome?.usage;
  const known = { ...(usage === undefined ? {} : { usage }), ...(verification === null ? {} : { verification }) };
  const lines = [
    ...(verification === null ? [] : proofOf(verification)),
    ...(usage === undefined ? [] : [`used: ${usageText(usage)}`]),
  ];
  const facts = lines.length === 0 || section !== undefined ? '' : `${lines.join('\n')}\n\n`;
  const json = { run: row.run, task: id, path, text: shown, ...known };
  return { code: exitCodes.completed, json, text: facts + terminalText(shown) };
}

/** Before the agent's own words, so that none of them can be taken for it. */
function proofOf(verification: Verification): string[] {
  return [proofText(verification), ...proofLines(verification).map((line) => `  ${line}`)];
}

/** From its heading to the next one of the same rank; the name in any case. */
function sectionOf(text: string, name: string, path: string): string {
  const lines = text.split('\n');
  const headings = lines.flatMap((line, at) => {
    const found = /^(#{1,6})\s+(.+?)\s*$/.exec(line);
    return found === null ? [] : [{ at, rank: found[1]?.length ?? 0, title: found[2] ?? '' }];
  });
  const start = headings.find(({ title }) => title.toLowerCase() === name.toLowerCase());
  if (start === undefined) {
    throw tuttiError('USAGE', {
      message: `${path} has no section ${name}`,
      expected: headings.map(({ title }) => title).join(', ') || 'a report with sections',
      got: name,
      next: 'Name one of its sections, or leave --section out.',
    });
  }
  const end = headings.find(({ at, rank }) => at > start.at && rank <= start.rank);
  return lines.slice(start.at, end?.at).join('\n');
}
