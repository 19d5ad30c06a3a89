import { tuttiError } from '../contracts/error.ts';
import { readLedger, resumeRun } from '../runtime.ts';
import { findRun } from './find-run.ts';
import type { Answer } from './output.ts';
import { watchRun } from './watch-run.ts';

export interface ResumeOptions {
  readonly json?: boolean;
  readonly takeOver?: boolean;
}

export async function resume(project: string, name: string | undefined, options: ResumeOptions): Promise<Answer> {
  const ledger = readLedger(project);
  const row = findRun(ledger, name);
  ledger.close();
  if (name === undefined && row.status === 'cancelled') {
    throw tuttiError('RUN_ENDED', {
      message: `the newest run, ${row.run}, was cancelled`,
      next: `If it is to go on all the same, name it: \`tutti resume ${row.run}\`.`,
      ids: { run: row.run },
    });
  }
  const takeOver = options.takeOver === true;
  const watched = watchRun(`tutti resume ${row.run}`, { asJson: options.json === true, project });
  try {
    return watched.answer(await resumeRun(row, { ...watched.options, project, takeOver }));
  } finally {
    watched.end();
  }
}
