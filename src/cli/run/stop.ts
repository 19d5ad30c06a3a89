/** `divisi pause` and `divisi cancel`: stop a run from any terminal. */
import { stopRun } from '../../runtime/runtime.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { findRun } from '../../project/find-run.ts';
import { type Answer, exitCodes, warn } from '../output.ts';

export async function stop(
  project: string,
  name: string | undefined,
  how: 'pause' | 'cancel',
  takeOver: boolean,
): Promise<Answer> {
  const ledger = readLedger(project);
  const row = findRun(ledger, name);
  ledger.close();
  const delivered = await stopRun(row, how, {
    project,
    environment: process.env,
    command: `divisi ${how} ${row.run}`,
    seen: () => undefined,
    warn,
    takeOver,
  });
  const ended = how === 'pause' ? 'paused' : 'cancelled';
  const text = delivered
    ? `${row.run}: its process was asked to stop; \`divisi status ${row.run}\` shows when it has stopped.`
    : `${row.run}: ${ended}. No process was running it.`;
  return { code: exitCodes.completed, json: { run: row.run, asked: how, delivered }, text };
}
