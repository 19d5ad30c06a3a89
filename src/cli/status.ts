import { readLedger } from '../runtime.ts';
import { isAlive } from '../process/identity.ts';
import { foldRun } from '../scheduler/fold-run.ts';
import { runReport, statusText } from '../views/run-report.ts';
import { findRun } from './find-run.ts';
import { type Answer, exitCodes } from './output.ts';

/** A run that calls itself running although its process is gone was interrupted, and says so. */
export function status(project: string, name: string | undefined): Answer {
  const ledger = readLedger(project);
  try {
    const row = findRun(ledger, name);
    const report = runReport(foldRun(ledger, row.run));
    const held = ledger.holder(row.run);
    const alive = held !== null && isAlive(held.holder);
    const interrupted = report.status === 'running' && !alive;
    const holder = held === null || !alive ? {} : { holder: { ...held.holder, since: held.since } };
    const lines = [statusText(report, Date.now())];
    if (interrupted) lines.push(`its process is gone: \`tutti resume ${row.run}\` goes on with it`);
    if (alive)
      lines.push(
        `held by process ${held.holder.pid} on ${held.holder.host} since ${new Date(held.since).toISOString()}`,
      );
    return { code: exitCodes.completed, json: { ...report, interrupted, ...holder }, text: lines.join('\n') };
  } finally {
    ledger.close();
  }
}
