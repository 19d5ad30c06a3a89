/** `divisi report`: prints the result of a run or the report of a task, or one section of either. */
import { defined } from '../../base/defined.ts';
import { oneLine } from '../../base/text.ts';
import type { Verification } from '../../core/event/verification.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { runFolder } from '../../delegation/delegation-files.ts';
import { findRun, findRunTask, type RunTask, namesRun } from '../../project/find-run.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { shownStatusOf } from '../../project/shown-status-of.ts';
import { readReport } from '../../project/read-report.ts';
import { terminalText } from '../../views/text/escape.ts';
import { proofLines, proofText } from '../../views/run/proof-text.ts';
import { errorText, sectionOf, withRecorded } from '../../views/run/report-sections.ts';
import { runReport } from '../../views/run/run-report.ts';
import { openRoomOf } from '../../views/run/task-report.ts';
import { runSummary } from '../../views/run/run-summary.ts';
import { summaryText } from '../../views/run/summary-text.ts';
import { usageText } from '../../views/run/usage-text.ts';
import { type Answer, exitCodes } from '../output.ts';

export async function report(project: string, name: string | undefined, section: string | undefined): Promise<Answer> {
  const ledger = readLedger(project);
  try {
    if (name === undefined || namesRun(ledger, name)) {
      const row = findRun(ledger, name);
      const state = foldRun(ledger, row.run);
      const whole = { ...runReport(state), status: shownStatusOf(ledger, row, state) };
      const folder = `${runFolder(state.created.run)}/reports`;
      const text =
        section === undefined
          ? summaryText(whole, folder)
          : terminalText(sectionOf(runSummary(whole), section, `${folder}/summary.md`));
      return { code: exitCodes.completed, json: whole, text: text.trimStart() };
    }
    return await taskReport(project, findRunTask(ledger, name), section);
  } finally {
    ledger.close();
  }
}

async function taskReport(project: string, found: RunTask, section: string | undefined): Promise<Answer> {
  const { row, task } = found;
  const { path, text, outcome } = await readReport(project, found);
  const shown = section === undefined ? text : sectionOf(withRecorded(text, outcome), section, path);
  const verification = task.attempt?.verification ?? null;
  const { usage, left, structuredResult: { errors, nextSteps } = {} } = outcome ?? {};
  const room = openRoomOf(task);
  const known = {
    ...defined({ usage, errors, nextSteps, left, room }),
    ...(verification === null ? {} : { verification }),
  };
  const lines = [
    ...(verification === null ? [] : proofOf(verification)),
    ...(usage === undefined ? [] : [`used: ${usageText(usage)}`]),
    ...(errors ?? []).map(errorText),
    ...(left === undefined ? [] : [`files left: ${oneLine(left.join(', '), 500)}`]),
    ...(room === undefined ? [] : [`room: ${oneLine(room, 500)}`]),
    ...(nextSteps === undefined ? [] : [`the agent suggests: ${oneLine(nextSteps, 500)}`]),
  ];
  const facts = lines.length === 0 || section !== undefined ? '' : `${lines.join('\n')}\n\n`;
  const json = { run: row.run, task: task.planned.id, path, text: shown, ...known };
  return { code: exitCodes.completed, json, text: facts + terminalText(shown) };
}

/** Before the agent's own words, so that none of them can be taken for it. */
function proofOf(verification: Verification): string[] {
  return [proofText(verification), ...proofLines(verification).map((line) => `  ${line}`)];
}
