import { oneLine } from '../contracts/flatten.ts';
import { isAlive } from '../process/identity.ts';
import { readLedger } from '../runtime.ts';
import { type Answer, exitCodes } from './output.ts';

export function list(project: string): Answer {
  const ledger = readLedger(project);
  try {
    const runs = ledger.runs().map((row) => {
      const held = ledger.holder(row.run);
      const interrupted = row.status === 'running' && (held === null || !isAlive(held.holder));
      return { ...row, interrupted };
    });
    const lines = runs.map(({ run, status, interrupted, changed, title, planFile }) => {
      const state = interrupted ? 'interrupted' : status;
      return `${run}  ${state.padEnd(11)}  ${new Date(changed).toISOString().slice(0, 19)}Z  ${oneLine(title, 60)}  ${planFile}`;
    });
    const text = lines.length === 0 ? 'no runs yet; `tutti run PLAN` begins one' : lines.join('\n');
    return { code: exitCodes.completed, json: { runs }, text };
  } finally {
    ledger.close();
  }
}
