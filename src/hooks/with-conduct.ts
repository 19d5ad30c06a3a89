/** Opens the run that this conversation conducts, with the project's roles, to continue it. */
import { delegationIds } from '../base/ids.ts';
import type { RunMemory, RunPlace } from '../conversation/in-run.ts';
import type { Conduct } from '../conversation/conduct.ts';
import { loadRoles } from '../workspace/load-roles.ts';
import type { HookRun } from './hook-run.ts';
import { withRun } from './with-run.ts';

export async function withConduct<T>(
  hookRun: HookRun,
  work: (conduct: Conduct) => Promise<T>,
  memory?: RunMemory,
): Promise<T> {
  const { project, environment } = hookRun;
  const conduct = async (place: RunPlace): Promise<T> => {
    const roles = await loadRoles(project);
    const newDelegation = delegationIds(place.clock, Math.random);
    return work({ ...place, project, environment, newDelegation, roles });
  };
  return withRun(hookRun, conduct, memory);
}
