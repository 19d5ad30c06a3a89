/** `pause` and `cancel`: from any terminal, whether somebody works on the run or not. */
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
  const told = await stopRun(row, how, {
    project,
    environment: process.env,
    command: `divisi ${how} ${row.run}`,
    seen: () => undefined,
    warn,
    takeOver,
  });
  const ended = how === 'pause' ? 'paused' : 'cancelled';
  const text = told
    ? `${row.run}: the process that works on it has been told; \`divisi status ${row.run}\` shows when it has stopped.`
    : `${row.run}: ${ended}. Nobody was working on it.`;
  return { code: exitCodes.completed, json: { run: row.run, asked: how, told }, text };
}
