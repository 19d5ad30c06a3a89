/** `divisi status`: shows the progress of a run. A running run without a living process is shown as interrupted. */
import { oneLine } from '../../base/text.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { livingHolder } from '../../project/with-lease.ts';
import { runReport, withLiveness } from '../../views/run/run-report.ts';
import { statusText } from '../../views/run/status-text.ts';
import { findRun, isInterrupted } from '../../project/find-run.ts';
import { type Answer, exitCodes } from '../output.ts';
import { livenessIn } from './status-liveness.ts';

export async function status(project: string, name: string | undefined): Promise<Answer> {
  const ledger = readLedger(project);
  try {
    const row = findRun(ledger, name);
    const state = foldRun(ledger, row.run);
    const held = livingHolder(ledger, row.run);
    const report = withLiveness(runReport(state), await livenessIn(project, state, held?.holder.host ?? null));
    const interrupted = isInterrupted(ledger, row);
    const lines = [statusText(report, Date.now())];
    if (interrupted) lines.push(`its process is gone: \`divisi resume ${row.run}\` resumes it`);
    if (held !== null) {
      const { pid, host } = held.holder;
      lines.push(`held by process ${pid} on ${oneLine(host, 100)} since ${new Date(held.since).toISOString()}`);
    }
    const holder = held === null ? {} : { holder: { ...held.holder, since: held.since } };
    return { code: exitCodes.completed, json: { ...report, interrupted, ...holder }, text: lines.join('\n') };
  } finally {
    ledger.close();
  }
}
