import { tuttiError } from '../contracts/error.ts';
import { resumeRun } from '../runtime.ts';
import { readLedger } from '../scheduler/project-ledger.ts';
import { findRun } from '../scheduler/find-run.ts';
import type { Answer } from './output.ts';
import type { ResumeRequest } from '../scheduler/resume-words.ts';
import { watchRun } from './watch-run.ts';

export interface ResumeOptions {
  readonly json?: boolean;
  readonly takeOver?: boolean;
}

export async function resume(project: string, request: ResumeRequest, options: ResumeOptions): Promise<Answer> {
  const { run: name, ...how } = request;
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
  const watched = watchRun(`tutti resume ${row.run}`, { asJson: options.json === true, project });
  try {
    const takeOver = options.takeOver === true;
    return watched.answer(await resumeRun(row, { ...watched.options, ...how, project, takeOver }));
  } finally {
    watched.end();
  }
}
