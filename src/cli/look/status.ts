/** `divisi status`: shows the progress of a run. A run that nothing works on is shown as such, with what continues it. */
import { oneLine } from '../../base/text.ts';
import { showLedger } from '../../project/project-ledger.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { livingHolder } from '../../project/with-lease.ts';
import { commandLines, commandReports } from './status-commands.ts';
import { findCommands } from '../../process/running-command.ts';
import { runReport, withLiveness } from '../../views/run/run-report.ts';
import { statusText } from '../../views/run/status-text.ts';
import { findRun } from '../../project/find-run.ts';
import { shownStatusOf } from '../../project/shown-status-of.ts';
import { continueText } from '../../views/text/typed-commands.ts';
import { findOrphans, orphanText } from '../../run-work/orphans.ts';
import { type Answer, exitCodes } from '../output.ts';
import { livenessIn } from './status-liveness.ts';

export async function status(project: string, name: string | undefined): Promise<Answer> {
  const ledger = showLedger(project);
  try {
    const row = findRun(ledger, name);
    if (row.kind === 'conducted') {
      const { lookAtCheckout } = await import('../../runtime/conducted/conduct-run.ts');
      await lookAtCheckout(row.run, { project, environment: process.env });
    }
    const state = foldRun(ledger, row.run);
    const held = livingHolder(ledger, row.run);
    const shown = shownStatusOf(ledger, row, state);
    const seen = await livenessIn(project, state, held?.holder.host ?? null);
    const report = { ...withLiveness(runReport(state), seen), status: shown };
    const now = Date.now();
    const running = findCommands(row.run);
    const commands = running && commandReports(state, running);
    const next = continueText(shown, row.run);
    const lines = [statusText(report, now, commandLines(commands ?? [], now))];
    if (next !== undefined) lines.push(next);
    const orphans = findOrphans(ledger, row, state);
    if (orphans.length > 0) lines.push(orphanText(orphans));
    if (held !== null) {
      const { pid, host } = held.holder;
      lines.push(`held by process ${pid} on ${oneLine(host, 100)} since ${new Date(held.since).toISOString()}`);
    }
    const holder = held === null ? {} : { holder: { ...held.holder, since: held.since } };
    return {
      code: exitCodes.completed,
      json: { ...report, commands, ...(orphans.length === 0 ? {} : { orphans }), ...holder },
      text: lines.join('\n'),
    };
  } finally {
    ledger.close();
  }
}
