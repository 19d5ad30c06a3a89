/** The run that this conversation conducts, opened to record something about it. */
import { join } from 'node:path';
import { config } from 'zod/mini';
import type { RunPlace } from '../conversation/in-run.ts';
import { openLedger } from '../ledger/ledger.ts';
import type { Where } from './where.ts';

// A process that checks a handful of events does not win by compiling its checks.
config({ jitless: true });

const clock = { now: (): number => Date.now() };

export async function withRun<T>({ project, run }: Where, work: (place: RunPlace) => Promise<T>): Promise<T> {
  const ledger = openLedger(join(project, '.divisi', 'ledger.db'));
  try {
    return await work({ ledger, run, clock });
  } finally {
    ledger.close();
  }
}
