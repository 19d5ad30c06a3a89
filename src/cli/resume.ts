import { readLedger, resumeRun } from '../runtime.ts';
import { findRun } from './find-run.ts';
import type { Answer } from './output.ts';
import { watchRun } from './watch-run.ts';

export async function resume(project: string, name: string | undefined, asJson: boolean): Promise<Answer> {
  const ledger = readLedger(project);
  const row = findRun(ledger, name);
  ledger.close();
  const watched = watchRun(`tutti resume ${row.run}`, asJson);
  try {
    return watched.answer(await resumeRun(row, { ...watched.options, project }));
  } finally {
    watched.end();
  }
}
