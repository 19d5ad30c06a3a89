/** Read-only snapshot of the run: takes no lease, loads no schemas. */
import type { RunId } from '../base/ids.ts';
import { divisiError } from '../base/error.ts';
import { connectReader } from './connection.ts';
import { type FoldedRun, foldOn } from './fold-run.ts';
import { guarded } from './ledger-fault.ts';
import { readEvents } from './read-events.ts';
import { readSnapshot } from './snapshots.ts';

export function lookAtRun(file: string, run: RunId): FoldedRun {
  return guarded(file, () => {
    const connection = connectReader(file);
    if (connection === null) {
      throw divisiError('RUN_UNKNOWN', { message: `there is no run ${run}`, next: '`divisi list` shows the runs.' });
    }
    try {
      return foldOn(
        {
          read: (of, after = 0) => readEvents(connection, of, after),
          snapshot: (of, core) => readSnapshot(connection, of, core),
        },
        run,
      );
    } finally {
      connection.db.close();
    }
  });
}
