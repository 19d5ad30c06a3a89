/**
 * Samples the agents of a run every five seconds, in the process that holds it: their last output and, for quiet agents, the activity
 * of their processes. Writes the samples to the run's state for `divisi status`, which is too short-lived to sample.
 */
import { defined } from '../../base/defined.ts';
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunState } from '../../core/state/state.ts';
import { findTask } from '../../core/state/state.ts';
import { runActivity } from '../../process/run-activity.ts';
import { type DelegationFiles, filesOf, runState } from '../../delegation/delegation-files.ts';
import { readTail } from '../../process/output-file.ts';
import { readTranscriptEnd } from '../../drivers/transcript/read-transcript-end.ts';
import { transcriptFiles } from '../../drivers/transcript/transcript-file.ts';
import { type Liveness, livenessLimits, livenessOf, type ProcessSamples, watchOn } from '../../views/run/liveness.ts';
import { stderrRetry, announcedRetry } from '../../views/transcript/announced-retry.ts';
import { stateFolder } from '../../workspace/places.ts';
import { writePrivately } from '../../workspace/atomic-file.ts';

export interface LivenessWatch {
  /** Undefined before the first sample. */
  readonly of: (delegation: string) => Liveness | undefined;
  close(): Promise<void>;
}

/** Read by `divisi status`. */
export interface LivenessFile {
  readonly at: number;
  readonly watched: Readonly<Record<string, ProcessSamples>>;
}

export interface AtWork {
  readonly delegation: string;
  readonly hasProcess: boolean;
  readonly lastEvent: number;
  /** As in `LivenessFacts`. */
  readonly waits?: string;
}

const every = 5000;

export const livenessFile = (project: string, run: string): string =>
  join(stateFolder(project), runState(run), 'liveness.json');

/** Delegations whose agent runs; during verification and merging there is no agent process. */
export async function atWork(project: string, state: RunState): Promise<AtWork[]> {
  const { run } = state.created;
  const found = [...state.active.values()].flatMap(({ registered, pid }) => {
    const task = findTask(state, registered.task);
    const isAtWork = task?.progress.status === 'running' || task?.progress.status === 'repairing';
    if (task === undefined || !isAtWork) return [];
    return [
      { registered, hasProcess: pid !== null, files: filesOf(run, task.wave, registered.task, registered.delegation) },
    ];
  });
  return Promise.all(
    found.map(async ({ registered, hasProcess, files }) => {
      const { delegation, at } = registered;
      const last = (await lastEvent(project, files)) ?? at;
      return { delegation, hasProcess, lastEvent: last, ...defined({ waits: await waitsFor(project, files) }) };
    }),
  );
}

/** Samples all agents; `unsupported` on systems that do not show processes. */
export function lookAt(
  run: string,
  agents: readonly AtWork[],
  before: ReadonlyMap<string, ProcessSamples>,
): Map<string, ProcessSamples> | 'unsupported' {
  const seen = runActivity(run);
  if (!seen.supported) return 'unsupported';
  const at = Date.now();
  return new Map(
    agents.map(({ delegation }) => {
      const { ticks, processes } = seen.delegations.get(delegation) ?? { ticks: 0, processes: [] };
      return [delegation, watchOn(before.get(delegation), { at, ticks, processes })];
    }),
  );
}

export function judgeLiveness(
  agent: AtWork,
  watched: ReadonlyMap<string, ProcessSamples> | 'unsupported',
  now: number,
): Liveness {
  const looked = watched === 'unsupported' ? watched : watched.get(agent.delegation);
  return livenessOf({ ...agent, now, ...defined({ watched: looked }) });
}

export function watchLiveness(project: string, state: () => RunState | undefined): LivenessWatch {
  let known = new Map<string, Liveness>();
  let watched = new Map<string, ProcessSamples>();
  let isWritten = false;
  let looking: Promise<void> | null = null;

  async function look(of: RunState): Promise<void> {
    const agents = await atWork(project, of);
    const now = Date.now();
    const isAnyQuiet = agents.some((agent) => now - agent.lastEvent >= livenessLimits.quietAfter);
    const looked = isAnyQuiet ? lookAt(of.created.run, agents, watched) : new Map<string, ProcessSamples>();
    watched = looked === 'unsupported' ? new Map() : looked;
    known = new Map(agents.map((agent) => [agent.delegation, judgeLiveness(agent, looked, Date.now())]));
    await keep(of.created.run);
  }

  async function keep(run: string): Promise<void> {
    if (watched.size === 0 && !isWritten) return;
    const file = livenessFile(project, run);
    isWritten = watched.size > 0;
    if (!isWritten) return rm(file, { force: true });
    const content: LivenessFile = { at: Date.now(), watched: Object.fromEntries(watched) };
    await writePrivately(file, `${JSON.stringify(content)}\n`);
  }

  const timer = setInterval(() => {
    const of = state();
    // Liveness is optional: the run continues without it.
    if (of !== undefined)
      looking ??= look(of)
        .catch(() => undefined)
        .finally(() => (looking = null));
  }, every);
  timer.unref();

  return {
    of: (delegation) => known.get(delegation),
    async close() {
      clearInterval(timer);
      await looking;
      watched = new Map();
      const of = state();
      if (of !== undefined) await keep(of.created.run).catch(() => undefined);
    },
  };
}

/** Time of the last output of the agent or message of its client. Undefined if no file exists. */
async function lastEvent(
  project: string,
  { output, transcript }: Pick<DelegationFiles, 'output' | 'transcript'>,
): Promise<number | undefined> {
  const said = [output, `${output}.repair-1`, `${output}.repair-2`].flatMap((file) => [file, `${file}.stderr`]);
  const folder = stateFolder(project);
  const sent = await transcriptFiles(join(folder, transcript));
  const times = await Promise.all(
    [...said.map((file) => join(folder, file)), ...sent.map(({ path }) => path)].map(timeOf),
  );
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Its standard error counts where it is newer than the transcript. */
async function waitsFor(project: string, { output, transcript }: DelegationFiles): Promise<string | undefined> {
  const folder = stateFolder(project);
  const end = await readTranscriptEnd(join(folder, transcript)).catch(() => undefined);
  const announced = end === undefined ? undefined : announcedRetry(end.dialect, end.lines);
  if (announced !== undefined) return announced;
  const stderr = join(folder, `${output}.stderr`);
  const written = await timeOf(stderr);
  if (written === undefined || written <= (end?.at ?? 0)) return undefined;
  return stderrRetry(await readTail(stderr, mostErrors).catch(() => ''));
}

/** Bytes. A notice is followed by the trace of its error. */
const mostErrors = 8192;

/** The time of a link itself: its target has nothing to do with the agent. */
async function timeOf(file: string): Promise<number | undefined> {
  try {
    return (await lstat(file)).mtimeMs;
  } catch {
    return undefined;
  }
}
