/** Records that this conversation conducts its run again, in another process of the client, or that it was closed. */
import { defined } from '../base/defined.ts';
import { inRun, type RunPlace } from '../conversation/in-run.ts';
import { clientName } from '../conversation/member.ts';
import type { Conductor } from '../core/state/conductor.ts';
import { clientIdentity } from '../process/identity.ts';
import type { HookRun } from './hook-run.ts';
import type { RunSnapshot } from './run-snapshot.ts';
import { withRun } from './with-run.ts';

/** Agents of an earlier process have been accounted for: the time until now is not theirs. */
export async function recordReturn(seen: RunSnapshot, session: string): Promise<void> {
  const process = clientIdentity();
  const take = async (place: RunPlace): Promise<void> =>
    inRun(place, ({ state, record }) => {
      if (state.status !== 'running' || isPresent(state.conductor, process)) return;
      record({ kind: 'run.conducted', client: clientName, session, ...defined({ process }) });
    });
  await withRun(seen.hookRun, take, seen);
}

function isPresent(conductor: Conductor | null, process: Conductor['process']): boolean {
  const known = conductor?.process;
  return conductor?.left === null && known?.pid === process?.pid && known?.started === process?.started;
}

export async function recordClosing(hookRun: HookRun): Promise<void> {
  await withRun(hookRun, async (place) =>
    inRun(place, ({ state, record }) => {
      if (state.status !== 'running' || state.conductor === null || state.conductor.left !== null) return;
      record({ kind: 'conductor.left', why: 'closed' });
    }),
  );
}
