/**
 * Checks acceptance commands on the commit that is checked out, as the canary of a run does, in a room of its own. Nothing is
 * recorded in the ledger, and nothing is left behind but what the canary keeps for later runs.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../base/defined.ts';
import type { RunId } from '../../base/ids.ts';
import type { AcceptCommand } from '../../core/decide/accept-commands.ts';
import type { BaseCheck } from '../../core/event/base-check.ts';
import type { NewEvent } from '../../core/event/event.ts';
import type { PlannedTask } from '../../core/event/planned-task.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ProjectSettings } from '../../project/project-folder.ts';
import type { Holding } from '../../project/with-lease.ts';
import { runFolder } from '../../delegation/delegation-files.ts';
import { type BrokenFile, breakFiles } from '../../run-work/canary/break-files.ts';
import { canaryIn } from '../../run-work/canary/canary.ts';
import { runWorkspace } from '../../run-work/run-workspace.ts';
import { reapRun } from '../../run-work/verifier-process.ts';
import { beginRun } from '../../scheduler/begin/begin-run.ts';
import { planEvents } from '../../scheduler/begin/plan-events.ts';
import { findRepository } from '../../workspace/git/repository.ts';
import { removeTrial, sweepTrials } from './remove-trial.ts';

export interface BaseRequest extends Holding {
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly ledger: Ledger;
  readonly settled: ProjectSettings;
  readonly commands: readonly AcceptCommand[];
  /** The task in whose scope files are broken; absent for none. */
  readonly toBreak?: Pick<PlannedTask, 'scope' | 'forbidden'> | undefined;
}

export interface CheckedBase {
  readonly base: string;
  readonly setup: WorkspaceFacts['setup'];
  readonly checks: readonly BaseCheck[];
  readonly broken: readonly BrokenFile[];
}

export async function checkBase(request: BaseRequest, signal: AbortSignal): Promise<CheckedBase> {
  const { project, environment, ledger, settled, warn, commands, toBreak } = request;
  const repository = await findRepository(project, environment);
  await sweepTrials(repository, ledger, request);
  const workspace = { kind: 'rooms', project, environment, config: settled.config } as const;
  return beginRun({ isTrial: true, workspace, events: emptyRun }, request, async ({ state }) => {
    const { run } = state.created;
    try {
      const rooms = runWorkspace(state, { project, repository, environment, warn });
      await rooms.prepare();
      const { base, setup } = rooms.facts;
      const canary = canaryIn(rooms, run);
      // At once, so that they share a room.
      const checks = await Promise.all(commands.map((command) => canary(command, 0, signal)));
      const green = commands.filter((_, at) => checks[at]?.result === 'green');
      const { scope = [], forbidden = [] } = toBreak ?? {};
      const spec = { workspace: rooms, run, scope, except: forbidden, commands: green };
      const broken = toBreak === undefined ? [] : await breakFiles(spec, signal);
      return { base, setup, checks, broken };
    } finally {
      await reapRun(run);
      await removeTrial(repository, run, 'work');
      await rm(join(project, runFolder(run)), { recursive: true, force: true });
    }
  });
}

function emptyRun(run: RunId, workspace: WorkspaceFacts | undefined): NewEvent[] {
  const plan = { title: 'Checks', goal: '', settings: { budgets: {} }, checkpoints: [], waves: [] };
  const settings = { concurrency: 1, driver: '', deadlines: {}, mode: 'default', budgets: {}, gated: true } as const;
  return planEvents({ run, file: '', hash: '', plan, settings, ...defined({ workspace }) });
}
