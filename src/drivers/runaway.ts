/**
 * Runaway: counts the model calls that a client reports, and finds a client that makes many of them while nothing comes of them. An
 * answer without a tool call ends a turn, so a long row of such answers is not work: a client compacts and retries on its own.
 */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry } from '../dialects/entry.ts';

export const runawayLimits = { calls: 30, milliseconds: 60_000 };

export const runawayMessage = `stopped: ${runawayLimits.calls} model calls within ${runawayLimits.milliseconds / 1000} s without a tool call or a changed file`;

export interface Runaway {
  /** Resolves when the folder has been looked at, if that was needed. */
  take(kind: Entry['kind']): Promise<void>;
}

/** Reports of clients that stand for one model call each: an answer, a failed call, a call that is repeated. */
const calls: ReadonlySet<Entry['kind']> = new Set(['answer-begun', 'waits', 'error']);

/** `onFound` is called at most once for each row of calls. */
export function runaway(directory: string, onFound: () => void, now: () => number = Date.now): Runaway {
  let times: number[] = [];
  return {
    async take(kind) {
      if (kind === 'tool' || kind === 'tool-ended') times = [];
      if (!calls.has(kind)) return;
      const at = now();
      times = [...times.filter((time) => at - time < runawayLimits.milliseconds), at];
      const [first = at] = times;
      if (times.length < runawayLimits.calls) return;
      times = [];
      if (!(await changedSince(directory, first))) onFound();
    },
  };
}

/** Entries of a folder to look at. A folder with more counts as changed: in doubt the agent works. */
const mostEntries = 20_000;

/** Whether a file below the folder, outside of git's own, changed since then. */
async function changedSince(directory: string, time: number): Promise<boolean> {
  const folders = [directory];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name === '.git' || entry.name === 'node_modules') continue;
      seen += 1;
      if (seen > mostEntries) return true;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      const found = await lstat(path).catch(() => undefined);
      if (found !== undefined && found.mtimeMs >= time) return true;
    }
  }
  return false;
}
