/** When each agent that is shown last said something, and what: the end of its output file, looked at once a second at most. */
import { constants, open } from 'node:fs/promises';
import { join } from 'node:path';
import { filesOf } from '../scheduler/delegation-files.ts';
import type { Activity } from '../views/live-model.ts';
import type { ActivityOf } from '../views/live-run.ts';

const mostBytes = 400;

/** Nothing for a file that is missing, empty, or no file at all: a worker may have put a link or a pipe there. */
export async function lastActivity(file: string): Promise<Activity | undefined> {
  let handle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size, mtimeMs } = await handle.stat();
    const from = Math.max(0, size - mostBytes);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(mostBytes), 0, mostBytes, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split(/[\r\n]+/);
    const line = lines.findLast((one) => one.trim() !== '');
    return line === undefined ? undefined : { at: mtimeMs, line };
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

export interface LiveActivity {
  /** What is known; whoever is asked for is looked at in the next round. */
  readonly of: ActivityOf;
  close(): void;
}

export function liveActivity(project: string, run: () => string, changed: () => void): LiveActivity {
  let known = new Map<string, Activity>();
  const wanted = new Map<string, string>();
  let isLooking = false;

  async function look(): Promise<void> {
    const files = [...wanted];
    wanted.clear();
    const found = await Promise.all(
      files.map(async ([delegation, file]) => [delegation, await lastActivity(file)] as const),
    );
    known = new Map(
      found.flatMap(([delegation, activity]) => (activity === undefined ? [] : [[delegation, activity]])),
    );
    changed();
  }

  const timer = setInterval(() => {
    if (isLooking || wanted.size === 0) return;
    isLooking = true;
    void look().finally(() => (isLooking = false));
  }, 1000);
  timer.unref();

  return {
    of({ delegation, task }, wave) {
      wanted.set(delegation, join(project, filesOf(run(), wave, task, delegation).output));
      return known.get(delegation);
    },
    close: () => clearInterval(timer),
  };
}
