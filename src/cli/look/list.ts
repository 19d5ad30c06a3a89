/** `divisi list`: lists the runs of the project, newest first. */
import { defined } from '../../base/defined.ts';
import { isRefusal } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import { type CommandEnd, unfinishedEnd } from '../../core/workflow/command-end.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/run-rows.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { movedHere } from '../../project/moved-projects.ts';
import { isInterrupted } from '../../project/find-run.ts';
import { endWord } from '../../views/run/report-lines.ts';
import { type Answer, exitCodes } from '../output.ts';

export function list(project: string): Answer {
  const ledger = readLedger(project);
  try {
    const runs = ledger.runs().map((row) => ({
      ...row,
      ...defined({ end: row.kind === 'command' && row.status === 'failed' ? endOf(ledger, row) : undefined }),
      interrupted: isInterrupted(ledger, row),
    }));
    const lines = runs.map(({ run, status, end, interrupted, changed, title, planFile }) => {
      const state = interrupted ? 'interrupted' : (endWord(end) ?? status);
      return `${run}  ${state.padEnd(11)}  ${new Date(changed).toISOString().slice(0, 19)}Z  ${oneLine(title, 60)}  ${oneLine(planFile, 200)}`;
    });
    const none = (): string => movedHere(ledger.file) ?? 'no runs yet; start one with `divisi run PLAN`';
    const text = lines.length === 0 ? none() : lines.join('\n');
    return { code: exitCodes.completed, json: { runs }, text };
  } finally {
    ledger.close();
  }
}

/** Undefined for a run that this Divisi cannot read. */
function endOf(ledger: LedgerReader, { run }: RunRow): CommandEnd | undefined {
  try {
    return unfinishedEnd(foldRun(ledger, run));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}
