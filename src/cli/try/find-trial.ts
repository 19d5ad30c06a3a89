/** Finds the delegation of a trial by its address `RUN/try`. Looks in the trial's folder: the ledger has no trials. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DelegationId, delegationIdSchema, runIdSchema, type RunId } from '../../base/ids.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import { stateFolder } from '../../workspace/places.ts';
import { runState, trialTask } from '../../delegation/delegation-files.ts';

export const trialAddress = (run: string): string => `${run}/${trialTask}`;

export async function findTrial(
  project: string,
  ledger: LedgerReader,
  address: string,
): Promise<{ readonly run: RunId; readonly delegation: DelegationId } | undefined> {
  const [name = ''] = address.split('/', 1);
  const run = runIdSchema.safeParse(name);
  if (!run.success || address !== trialAddress(name) || ledger.run(name) !== null) return undefined;
  const files = await readdir(join(stateFolder(project), runState(name), 'returns')).catch(() => []);
  const ids = files.map((file) => delegationIdSchema.safeParse(file.replace(/\.txt$/, '')));
  const delegation = ids.find(({ success }) => success)?.data;
  return delegation === undefined ? undefined : { run: run.data, delegation };
}
