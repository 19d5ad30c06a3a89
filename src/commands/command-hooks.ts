/**
 * CommandHooks: the side effects of a task command outside of the core: task status, task list, both files and git, in steps that are safe
 * to repeat after a crash.
 */
import { isRefusal, messageOf } from '../base/error.ts';
import type { RunId } from '../base/ids.ts';
import { activeStatus, commandOf, workEnd } from '../core/workflow/command-end.ts';
import type { RunEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import type { PostflightFact } from '../core/event/workflow-step.ts';
import { foldRun } from '../ledger/fold-run.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RunHooks } from '../scheduler/agent-run.ts';
import { mergeIntoCheckout, commitCommand, type PostflightResult, isMerged } from './commit-command.ts';
import { logSession } from './command-logs.ts';
import { markPhases } from './mark-phases.ts';
import { beginTask, restoreTask, settleTask } from './settle-task.ts';
import { counted } from '../views/text/quantity.ts';
import { type SyncReport, syncViews, writeState, writeTodo } from './sync-views.ts';
import { readFolderStates, writeFolderState } from './task-folders.ts';

export interface HookDeps {
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly ledger: Ledger;
  readonly warn: (error: unknown) => void;
}

export function commandHooks(run: RunId, deps: HookDeps): RunHooks {
  let views: Promise<unknown> = Promise.resolve();
  /** Runs in sequence, also for callers that do not await it. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = views.then(work);
    views = next.catch(() => undefined);
    return next;
  };
  return {
    postflight: (fact) => inTurn(async () => postflight(fact, foldRun(deps.ledger, run), deps)),
    followed(event, state) {
      if (!changesTask(event, state, deps)) return;
      const follow = async (): Promise<void> => {
        if (isCancelled(event) && (await isMerged(state, deps))) await markPhases(deps.project, state);
        await syncViews(deps.project, deps.ledger, warnText(deps));
      };
      void inTurn(follow).catch(deps.warn);
    },
    idle: async () => void (await views),
  };
}

const warnText =
  ({ warn }: HookDeps) =>
  (what: string): void =>
    warn(new Error(what));

const isCancelled = (event: RunEvent): boolean => event.kind === 'run.ended' && event.status === 'cancelled';

/** True if the files must be rewritten. */
function changesTask(event: RunEvent, state: RunState, { ledger, warn }: HookDeps): boolean {
  const { command, number } = commandOf(state);
  const { run } = state.created;
  const active = activeStatus(command);
  if (active === undefined) return false;
  try {
    if (event.kind === 'run.started' && workEnd(state) === 'open') {
      beginTask(ledger, command, number, run);
      return true;
    }
    if (!isCancelled(event)) return false;
    restoreTask(ledger, state, active);
    return true;
  } catch (error) {
    warn(error);
    return false;
  }
}

async function postflight(fact: PostflightFact, state: RunState, deps: HookDeps): Promise<PostflightResult> {
  const { project, ledger } = deps;
  try {
    switch (fact) {
      case 'sync':
        return await sync(state, deps);
      case 'todo':
        return written(await writeTodo(project, ledger, warnText(deps)));
      case 'state':
        return written(await writeState(project, ledger, warnText(deps)));
      case 'commit':
        return await commit(state, deps);
      default:
        return fact satisfies never;
    }
  } catch (error) {
    // Anything else is a bug and stops the run.
    if (!isRefusal(error)) throw error;
    return { done: false, note: messageOf(error) };
  }
}

/** Work counts as done only once it is merged, where the next command looks for it. */
async function sync(state: RunState, deps: HookDeps): Promise<PostflightResult> {
  const { project, ledger } = deps;
  const away = await mergeIntoCheckout(state, deps);
  const open = away === undefined ? await markPhases(project, state) : 0;
  const left = open === 0 ? undefined : `${counted(open, 'phase')} of the plan left`;
  const status = settleTask(ledger, state, { away, left });
  await logSession(deps, state, status);
  return away === undefined ? { done: true, note: status } : { done: false, note: away };
}

function written({ written: files }: SyncReport): PostflightResult {
  return { done: true, note: files.length === 0 ? 'already up to date' : files.join(', ') };
}

async function commit(state: RunState, { project, environment, ledger, warn }: HookDeps): Promise<PostflightResult> {
  const { number, plan } = commandOf(state);
  const status = ledger.taskList.task(number)?.status ?? '';
  return commitCommand(state, {
    project,
    environment,
    status,
    files: async () => {
      const { files } = await syncViews(project, ledger, (what) => warn(new Error(what)));
      // The merge may have just added the folder to the checkout.
      const [folder] = await readFolderStates(project, files, [number]);
      const task = ledger.taskList.task(number);
      if (folder !== undefined && task !== null) await writeFolderState(project, folder, task);
      return [
        files.todo,
        files.state,
        ...(folder === undefined ? [] : [folder.path]),
        ...(plan === undefined ? [] : [plan]),
      ];
    },
  });
}
