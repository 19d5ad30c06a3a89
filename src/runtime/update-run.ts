/**
 * Updates a run: merges the commit that the user has checked out into its branch and takes over the settings of the config. The process
 * that works on the run does it between two merges; where there is none, it is done here.
 */
import { divisiError } from '../base/error.ts';
import { nextUpdate } from '../core/apply/apply-updates.ts';
import type { EventOf, NewEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import { foldRun } from '../ledger/fold-run.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import { loadTrusted } from '../project/trust/load-trusted.ts';
import { withLedger } from '../project/project-ledger.ts';
import { livingHolder } from '../project/with-lease.ts';
import { performUpdate } from '../run-work/perform-update.ts';
import { conflictError, type PreparedUpdate, prepareUpdate, updateRefused } from '../run-work/prepare-update.ts';
import { runRepository } from '../run-work/run-repository.ts';
import { reconcile } from '../scheduler/reconcile.ts';
import { type GivenOptions, withDefaults } from './given-options.ts';
import { recordWithoutDriver } from './record-without-driver.ts';

export interface UpdateOptions extends GivenOptions {
  /** Leaves the run's branch alone. */
  readonly configOnly?: boolean;
}

export interface UpdatedRun {
  /** `current`: there was nothing to do. `asked`: the process that works on the run does it. `waiting`: done when the run is resumed. */
  readonly how: 'current' | 'asked' | 'waiting' | 'done';
  readonly commit?: string;
  readonly files: readonly string[];
  readonly settings: readonly string[];
  /** Where it was done here. */
  readonly result?: Omit<EventOf<'workspace.updated'>, 'kind' | 'version' | 'at' | 'update'>;
}

export async function updateRun(row: RunRow, given: UpdateOptions): Promise<UpdatedRun> {
  const { configOnly = false } = given;
  const options = withDefaults(given);
  const { project, environment } = options;
  const { config } = await loadTrusted(options);
  return withLedger(project, async (ledger) => {
    const { run } = row;
    const state = foldRun(ledger, run);
    refuseOver(state);
    const at = await runRepository(state, project, environment);
    const prepared = await prepareUpdate(at, state, { config, configOnly });
    const { request, files, settings } = prepared;
    const about = { ...(request.commit === undefined ? {} : { commit: request.commit }), files, settings };
    const isCurrent = request.commit === undefined && settings.length === 0;
    // Only that process knows which drivers and limits it has read.
    if (livingHolder(ledger, run, options.takeOver) !== null) {
      ledger.tell(run, { kind: 'update', request });
      return { how: 'asked', ...about };
    }
    if (isCurrent && state.updates.length === 0) return { how: 'current', ...about };
    const ends: NewEvent[] = [];
    await recordWithoutDriver(ledger, run, options, async (found, recover, commit) => {
      const asked: NewEvent = { kind: 'update.requested', ...nextUpdate(found), ...request };
      commit([...(await reconcile(found, recover)), ...(isCurrent ? [] : [asked])]);
      // The merge that was interrupted comes first.
      for (const one of found.merge === null ? found.updates : []) {
        const { repository } = at;
        const deps = { project, environment, repository, warn: options.warn };
        const end = await performUpdate(found, one, deps, new AbortController().signal);
        commit([end]);
        ends.push(end);
      }
      return [];
    });
    return { ...about, ...outcomeOf(run, ends.at(-1), prepared) };
  });
}

function outcomeOf(
  run: string,
  end: NewEvent | undefined,
  { request }: PreparedUpdate,
): Pick<UpdatedRun, 'how' | 'result'> {
  if (end?.kind === 'workspace.updated') {
    const { kind: _kind, update: _update, ...result } = end;
    return { how: 'done', result };
  }
  if (end?.kind !== 'update.refused') return { how: 'waiting' };
  if (end.files.length > 0) throw conflictError(run, request.commit ?? '', end.files);
  throw updateRefused(run, end.why, 'Nothing was changed. Resolve it and run the command again.');
}

/** A completed run has nothing left to start; a cancelled one has first to be resumed. */
function refuseOver({ status, created: { run } }: RunState): void {
  if (status !== 'completed' && status !== 'cancelled') return;
  const next =
    status === 'completed'
      ? `\`divisi merge ${run}\` merges its work into your checkout; \`divisi run PLAN\` starts a new run from what you have checked out.`
      : `\`divisi resume ${run}\` continues it; update it then. \`divisi run PLAN\` starts a new run from what you have checked out.`;
  throw divisiError('RUN_ENDED', {
    message: `${run} has ${status === 'completed' ? 'completed' : 'been cancelled'}; there is nothing to update`,
    next,
    ids: { run },
  });
}
