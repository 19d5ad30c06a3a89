/** Opens the run that this conversation conducts, to record events. */
import { config } from 'zod/mini';
import type { RunMemory, RunPlace } from '../conversation/in-run.ts';
import { findTask } from '../core/state/state.ts';
import { openLedger } from '../ledger/ledger.ts';
import { ledgerFile } from '../workspace/places.ts';
import type { HookRun } from './hook-run.ts';

// Compiling the schemas does not pay off for a handful of events.
config({ jitless: true });

const clock = { now: (): number => Date.now() };

/** `memory` is the run as this hook has read it: only newer events are read again. */
export async function withRun<T>(
  { project, environment, run }: HookRun,
  work: (place: RunPlace) => Promise<T>,
  memory: RunMemory = {},
): Promise<T> {
  const ledger = openLedger(ledgerFile(project, environment), { unchecked: true });
  try {
    return await work({ ledger, run, clock, memory });
  } finally {
    ledger.close();
    await logFailures({ project, environment }, memory);
  }
}

async function logFailures(place: Pick<HookRun, 'project' | 'environment'>, memory: RunMemory): Promise<void> {
  const { failed, folded } = memory;
  if (failed === undefined || folded === undefined) return;
  memory.failed = undefined;
  const { logErrors } = await import('../project/error-log.ts');
  const tasks = [...failed].flatMap((id) => findTask(folded.state, id) ?? []);
  // A log that cannot be written does not fail the step.
  await logErrors(place, folded.state, tasks).catch(() => undefined);
}
