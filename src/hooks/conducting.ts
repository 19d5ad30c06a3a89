/** Opens the run that this conversation conducts, with the project's roles, to continue it. */
import { delegationIds } from '../base/ids.ts';
import type { RunPlace } from '../conversation/in-run.ts';
import type { FoldedRun } from '../ledger/fold-run.ts';
import type { Conduct } from '../conversation/conduct.ts';
import { loadRoles } from '../workspace/load-roles.ts';
import type { Where } from './where.ts';
import { withRun } from './with-run.ts';

export async function conducting<T>(
  where: Where,
  work: (conduct: Conduct) => Promise<T>,
  seen?: FoldedRun,
): Promise<T> {
  const { project, environment } = where;
  const conduct = async (place: RunPlace): Promise<T> => {
    const roles = await loadRoles(project);
    const newDelegation = delegationIds(place.clock, Math.random);
    return work({ ...place, project, environment, newDelegation, roles });
  };
  return withRun(where, conduct, seen);
}
