import { oneLine } from '../../base/text.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { isInterrupted } from '../../project/find-run.ts';
import { type Answer, exitCodes } from '../output.ts';

export function list(project: string): Answer {
  const ledger = readLedger(project);
  try {
    const runs = ledger.runs().map((row) => ({ ...row, interrupted: isInterrupted(ledger, row) }));
    const lines = runs.map(({ run, status, interrupted, changed, title, planFile }) => {
      const state = interrupted ? 'interrupted' : status;
      return `${run}  ${state.padEnd(11)}  ${new Date(changed).toISOString().slice(0, 19)}Z  ${oneLine(title, 60)}  ${oneLine(planFile, 200)}`;
    });
    const text = lines.length === 0 ? 'no runs yet; start one with `divisi run PLAN`' : lines.join('\n');
    return { code: exitCodes.completed, json: { runs }, text };
  } finally {
    ledger.close();
  }
}
