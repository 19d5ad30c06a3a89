/** `divisi list`: lists the runs of the project, newest first. */
import { defined } from '../../base/defined.ts';
import { oneLine } from '../../base/text.ts';
import { type CommandEnd, unfinishedEnd } from '../../core/workflow/command-end.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/run-rows.ts';
import { showLedger } from '../../project/project-ledger.ts';
import { movedHere } from '../../project/moved-projects.ts';
import { readableRun } from '../../project/readable-run.ts';
import { shownStatusOf } from '../../project/shown-status-of.ts';
import { findOrphans, orphanText } from '../../run-work/orphans.ts';
import { endWord } from '../../views/run/report-lines.ts';
import { continueText } from '../../views/text/typed-commands.ts';
import { type Answer, exitCodes } from '../output.ts';

export function list(project: string): Answer {
  const ledger = showLedger(project);
  try {
    const runs = ledger.runs().map((row) => {
      const orphans = findOrphans(ledger, row);
      return {
        ...row,
        ...defined({ end: row.kind === 'command' && row.status === 'failed' ? endOf(ledger, row) : undefined }),
        status: shownStatusOf(ledger, row),
        ...(orphans.length === 0 ? {} : { orphans }),
      };
    });
    const lines = runs.flatMap(({ run, status, end, orphans = [], changed, title, planFile }) => {
      const state = endWord(end) ?? status;
      const line = `${run}  ${state.padEnd(11)}  ${new Date(changed).toISOString().slice(0, 19)}Z  ${oneLine(title, 60)}  ${oneLine(planFile, 200)}`;
      const next = continueText(status, run);
      return [
        line,
        ...(next === undefined ? [] : [`  ${next}`]),
        ...(orphans.length === 0 ? [] : [`  ${orphanText(orphans)}`]),
      ];
    });
    const none = (): string => movedHere(ledger.file) ?? 'no runs yet; start one with `divisi run PLAN`';
    const text = lines.length === 0 ? none() : lines.join('\n');
    return { code: exitCodes.completed, json: { runs }, text };
  } finally {
    ledger.close();
  }
}

function endOf(ledger: LedgerReader, { run }: RunRow): CommandEnd | undefined {
  const state = readableRun(ledger, run);
  return state === undefined ? undefined : unfinishedEnd(state);
}
