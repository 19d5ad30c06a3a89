/** The run that this conversation conducts, opened for one step. */
import { join } from 'node:path';
import { delegationIds } from '../contracts/ids.ts';
import type { Conduct } from '../conversation/conduct.ts';
import type { RunPlace } from '../conversation/in-run.ts';
import { openLedger } from '../ledger/ledger.ts';
import { loadRoles } from '../workspace/load-roles.ts';
import type { Where } from './step.ts';

const clock = { now: (): number => Date.now() };

/** To record something about it. */
export async function withRun<T>({ project, run }: Where, work: (place: RunPlace) => Promise<T>): Promise<T> {
  const ledger = openLedger(join(project, '.tutti', 'ledger.db'));
  try {
    return await work({ ledger, run, clock });
  } finally {
    ledger.close();
  }
}

/** To go on with it. */
export async function conducting<T>(where: Where, work: (conduct: Conduct) => Promise<T>): Promise<T> {
  const { project, environment } = where;
  return withRun(where, async (place) => {
    const roles = await loadRoles(project);
    const newDelegation = delegationIds(clock, Math.random);
    return work({ ...place, project, environment, newDelegation, roles });
  });
}
