/** The run that this conversation conducts, opened for one step. */
import { join } from 'node:path';
import { delegationIds } from '../contracts/ids.ts';
import type { Conduct } from '../conversation/conduct.ts';
import { openLedger } from '../ledger/ledger.ts';
import { loadRoles } from '../workspace/load-roles.ts';
import type { Where } from './step.ts';

const clock = { now: (): number => Date.now() };

export async function conducting<T>(
  { project, environment, run }: Where,
  work: (conduct: Conduct) => Promise<T>,
): Promise<T> {
  const ledger = openLedger(join(project, '.tutti', 'ledger.db'));
  try {
    const roles = await loadRoles(project);
    const newDelegation = delegationIds(clock, Math.random);
    return await work({ project, environment, run, ledger, clock, newDelegation, roles });
  } finally {
    ledger.close();
  }
}
