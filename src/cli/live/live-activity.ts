/**
 * Finds the last activity of each agent shown, at most once a second: the end of its transcript or else of its output, and its
 * liveness.
 */
import { constants, open } from 'node:fs/promises';
import { join } from 'node:path';
import { readTranscriptEnd } from '../../drivers/transcript/read-transcript-end.ts';
import { type DelegationFiles, filesOf } from '../../delegation/delegation-files.ts';
import { stateFolder } from '../../workspace/places.ts';
import type { AgentActivity } from '../../views/live/live-model.ts';
import type { ActivityOf } from '../../views/live/live-run.ts';
import { newestLine } from '../../views/transcript/transcript-text.ts';
import type { LivenessWatch } from './watch-liveness.ts';

const mostBytes = 400;

/** Undefined for a missing, empty or irregular file: a worker may have put a link or a pipe there. */
export async function lastActivity(file: string): Promise<AgentActivity | undefined> {
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

/** Prefers the transcript: it has what the agent does, not only what it says. `folder` is the project's state folder. */
export async function newestOf(
  folder: string,
  { output, transcript }: Pick<DelegationFiles, 'output' | 'transcript'>,
): Promise<AgentActivity | undefined> {
  const end = await readTranscriptEnd(join(folder, transcript)).catch(() => undefined);
  if (end === undefined) return lastActivity(join(folder, output));
  return { at: end.at, line: newestLine(end.dialect, end.lines) };
}

export interface LiveActivity {
  /** Last known activity; requested delegations are read in the next round. */
  readonly of: ActivityOf;
  close(): void;
}

export interface LiveActivityOptions {
  readonly project: string;
  readonly run: () => string;
  readonly liveness: LivenessWatch['of'];
  readonly changed: () => void;
}

export function liveActivity({ project, run, liveness, changed }: LiveActivityOptions): LiveActivity {
  let known = new Map<string, AgentActivity>();
  const wanted = new Map<string, DelegationFiles>();
  let isLooking = false;

  async function look(): Promise<void> {
    const files = [...wanted];
    wanted.clear();
    const found = await Promise.all(
      files.map(async ([delegation, places]) => [delegation, await newestOf(stateFolder(project), places)] as const),
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
      wanted.set(delegation, filesOf(run(), wave, task, delegation));
      const activity = known.get(delegation);
      const seen = liveness(delegation);
      if (seen === undefined) return activity;
      return { ...(activity ?? { at: Date.now(), line: '' }), liveness: seen };
    },
    close: () => clearInterval(timer),
  };
}
