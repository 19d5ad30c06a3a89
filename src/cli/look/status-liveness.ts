/**
 * Finds out for `divisi status` whether the agents of a run are alive: from the samples of the process that holds the run and one more;
 * without those, from one or two samples of its own.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { RunState } from '../../core/state/state.ts';
import { readHead } from '../../process/output-file.ts';
import { type Liveness, livenessLimits, type ProcessSamples } from '../../views/run/liveness.ts';
import { type AtWork, atWork, judgeLiveness, livenessFile, lookAt } from '../live/watch-liveness.ts';

const pause = 300;
/** Milliseconds. Older observations are ignored. */
const freshFor = 15_000;
const mostBytes = 1024 * 1024;

const time = z.nullable(z.number());
/** Agents can write to the folder: the file is parsed strictly and used for liveness only. */
const content = z.object({
  at: z.number(),
  watched: z.record(
    z.string(),
    z.object({
      since: z.number(),
      last: z.object({ at: z.number(), ticks: z.number(), processes: z.array(z.string()) }),
      activeAt: time,
      share: time,
      most: z.number(),
      goneSince: time,
    }),
  ),
});

/** By delegation. `host`: machine that holds the run; null if none does. */
export async function livenessIn(
  project: string,
  state: RunState,
  host: string | null,
): Promise<Map<string, Liveness>> {
  const agents = await atWork(project, state);
  if (agents.length === 0) return new Map();
  const { run } = state.created;
  const isHere = host === null || host === hostname();
  let looked = isHere ? lookAt(run, agents, await seenByHolder(project, run)) : 'unsupported';
  if (looked !== 'unsupported' && agents.some((agent) => wantsAnother(agent, looked))) {
    await sleep(pause);
    looked = lookAt(run, agents, looked);
  }
  const now = Date.now();
  return new Map(agents.map((agent) => [agent.delegation, judgeLiveness(agent, looked, now)]));
}

/** True if a single sample found the agent quiet or without a process. */
function wantsAnother({ delegation, hasProcess, lastEvent }: AtWork, looked: ReturnType<typeof lookAt>): boolean {
  const watched = looked === 'unsupported' ? undefined : looked.get(delegation);
  if (watched === undefined || !hasProcess) return false;
  if (watched.goneSince !== null) return watched.goneSince === watched.last.at;
  return watched.share === null && Date.now() - lastEvent >= livenessLimits.quietAfter;
}

async function seenByHolder(project: string, run: string): Promise<Map<string, ProcessSamples>> {
  try {
    const { at, watched } = content.parse(JSON.parse(await readHead(livenessFile(project, run), mostBytes)));
    const age = Date.now() - at;
    return age < 0 || age > freshFor ? new Map() : new Map(Object.entries(watched));
  } catch {
    return new Map();
  }
}
