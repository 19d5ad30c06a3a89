/** Keeps the plan's file in sync with the conducted run while this server lives. */
import type { RunId } from '../base/ids.ts';
import { isOver } from '../core/state/state.ts';
import { watchLedger } from '../ledger/watch-ledger.ts';
import { withLedger } from '../project/project-ledger.ts';
import { writeConductedView } from '../runtime/conducted/conducted-view.ts';
import type { Place } from './place.ts';

const followed = new Set<RunId>();
/** Milliseconds. */
const pace = 250;

/** Once for each run, until it is over. */
export function followView(place: Place, run: RunId): void {
  if (followed.has(run)) return;
  followed.add(run);
  const watching = new AbortController();
  let due: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    due = undefined;
    await withLedger(place.project, async (ledger) => {
      await writeConductedView(run, { ...place, ledger });
      const row = ledger.run(run);
      if (row !== null && !isOver(row.status)) return;
      watching.abort();
      followed.delete(run);
    }).catch(place.warn);
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
  // The client is gone: once more, and then nothing keeps this process.
  process.stdin.once('end', end);
  watchLedger(`${place.project}/.divisi/ledger.db`, changed, watching.signal);
}
