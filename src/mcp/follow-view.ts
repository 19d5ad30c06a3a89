/** Keeps the plan's file in sync with the conducted run while this server lives. */
import type { RunId } from '../base/ids.ts';
import { isOver } from '../core/state/state.ts';
import { watchLedger } from '../ledger/watch-ledger.ts';
import { withLedger } from '../project/project-ledger.ts';
import { ledgerFile } from '../workspace/places.ts';
import { writeConductedView } from '../runtime/conducted/conducted-view.ts';
import type { ServerDeps } from './server-deps.ts';

const followed = new Set<RunId>();
/** Milliseconds. */
const pace = 250;

/** One watcher per run, until the run is over. */
export function followView(deps: ServerDeps, run: RunId): void {
  if (followed.has(run)) return;
  followed.add(run);
  const watching = new AbortController();
  let due: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    due = undefined;
    await withLedger(deps.project, async (ledger) => {
      await writeConductedView(run, { ...deps, ledger });
      const row = ledger.run(run);
      if (row !== null && !isOver(row.status)) return;
      watching.abort();
      followed.delete(run);
    }).catch(deps.warn);
  };
  const changed = (): void => {
    due ??= setTimeout(() => {
      writing = writing.then(write);
    }, pace);
  };
  const end = (): void => {
    clearTimeout(due);
    watching.abort();
    writing = writing.then(write);
  };
  changed();
  // The client is gone: write once more, then let this process exit.
  process.stdin.once('end', end);
  watchLedger(ledgerFile(deps.project), changed, watching.signal);
}
