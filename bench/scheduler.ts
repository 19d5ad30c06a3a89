/** Runs of tasks that do nothing: what the orchestrator itself costs. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { measureGrowth, measureParsing, measureResume } from './scheduler-growth.ts';
import { measureReplay } from './scheduler-replay.ts';

/** On the disk of the repository: a temporary folder of the system may be in memory. */
function newFolder(): string {
  const parent = join(import.meta.dirname, '../node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, 'divisi-bench-'));
}

export const scheduler: Bench = {
  compares: `runs of in-process tasks that do nothing, 16 at a time, against bare writes of the same events.
  The bare side is a loop on node:sqlite with the same table, write-ahead log, full sync, rows and commits, and a prepared
  insert; it does not decide, check or fence. Both start with an open file on the same disk and take
  turns; the ratio is the median of the ratios of neighbours. Both are warm. Measurements in separate
  processes are marked; those processes find their sources compiled (NODE_COMPILE_CACHE), like an installed
  package. "After a pause" has a snapshot; "after a crash" is the same ledger with the snapshot deleted, not a kill.`,
  run: async (print) => {
    const folder = newFolder();
    try {
      return {
        ...(await measureReplay(print, folder)),
        ...(await measureGrowth(print, folder)),
        ...(await measureResume(print, folder)),
        ...(await measureParsing(print, folder)),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
