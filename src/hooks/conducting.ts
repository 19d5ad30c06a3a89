/** The run that this conversation conducts, opened to go on with it. */
import { delegationIds } from '../base/ids.ts';
import type { Conduct } from '../conversation/conduct.ts';
import { loadRoles } from '../workspace/load-roles.ts';
import type { Where } from './where.ts';
import { withRun } from './with-run.ts';

export async function conducting<T>(where: Where, work: (conduct: Conduct) => Promise<T>): Promise<T> {
  const { project, environment } = where;
  return withRun(where, async (place) => {
    const roles = await loadRoles(project);
    const newDelegation = delegationIds(place.clock, Math.random);
    return work({ ...place, project, environment, newDelegation, roles });
  });
}
