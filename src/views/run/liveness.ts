/**
 * Liveness: judges from outside whether an agent is working, with evidence. Informs people only: a delegation ends at its
 * deadline, never because of this.
 *
 * waits: its client has announced a retry, and nothing since
 * working → quiet: no message for a minute
 * quiet → hung: its processes were idle for two minutes as well
 * dead: two samples found no process
 * Any message or processor time returns it to working or quiet.
 */
import { shortDuration } from '../text/quantity.ts';

export const livenessStates = ['working', 'waits', 'quiet', 'hung', 'dead'] as const;

export interface Liveness {
  readonly state: (typeof livenessStates)[number];
  readonly evidence: string;
}

/** A sample of an agent's processes. */
export interface ProcessLook {
  readonly at: number;
  /** Processor time, in hundredths of a second. */
  readonly ticks: number;
  readonly processes: readonly string[];
}

/** Accumulated samples. */
export interface ProcessSamples {
  readonly since: number;
  readonly last: ProcessLook;
  /** When its processes were last active. */
  readonly activeAt: number | null;
  /** Share of one processor between the last two samples; null before the second. */
  readonly share: number | null;
  /** The largest share since it was last active. */
  readonly most: number;
  /** The first sample in a row without a process. */
  readonly goneSince: number | null;
}

export interface LivenessFacts {
  readonly now: number;
  /** Time of its last message, or of its start. */
  readonly lastEvent: number;
  /** Absent before the first sample; `unsupported` on another machine, or a system that does not list processes. */
  readonly watched?: ProcessSamples | 'unsupported';
  /** What its client retries and how often; absent if it does not. */
  readonly waits?: string;
  /** Whether it was started as a separate process. */
  readonly hasProcess: boolean;
}

export const livenessLimits = { quietAfter: 60_000, hungAfter: 120_000 };

/**
 * Idle programs use up to 2 % for timers, sometimes 6 %; a busy one on an overloaded machine may get no more. In doubt it is
 * quiet rather than hung.
 */
const activeShare = 0.03;
const tick = 10;

export function watchOn(before: ProcessSamples | undefined, look: ProcessLook): ProcessSamples {
  const isGone = look.processes.length === 0;
  if (before === undefined || look.at <= before.last.at) {
    return { since: look.at, last: look, activeAt: null, share: null, most: 0, goneSince: isGone ? look.at : null };
  }
  const share = (Math.max(0, look.ticks - before.last.ticks) * tick) / (look.at - before.last.at);
  const isActive = share >= activeShare || !isSame(before.last.processes, look.processes);
  return {
    since: before.since,
    last: look,
    activeAt: isActive && !isGone ? look.at : before.activeAt,
    share,
    most: isActive ? 0 : Math.max(before.most, share),
    goneSince: isGone ? (before.goneSince ?? look.at) : null,
  };
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  const known = new Set(some);
  return some.length === others.length && others.every((one) => known.has(one));
}

export function livenessOf(facts: LivenessFacts, limits = livenessLimits): Liveness {
  const { now, lastEvent, watched, waits, hasProcess } = facts;
  const silence = now - lastEvent;
  const silent = `no message for ${shortDuration(silence)}`;
  const looked = watched === 'unsupported' ? undefined : watched;
  if (hasProcess && looked !== undefined && looked.goneSince !== null && looked.last.at > looked.goneSince) {
    return { state: 'dead', evidence: `no process left, ${silent}` };
  }
  if (waits !== undefined) return { state: 'waits', evidence: waits };
  if (silence < limits.quietAfter) return { state: 'working', evidence: `last message ${shortDuration(silence)} ago` };
  if (!hasProcess) return { state: 'quiet', evidence: `${silent}, no process of its own` };
  if (watched === 'unsupported')
    return { state: 'quiet', evidence: `${silent}; its processes are not visible from here` };
  if (looked === undefined) return { state: 'quiet', evidence: silent };
  const number = looked.last.processes.length;
  if (number === 0) return { state: 'quiet', evidence: `${silent}, no process found` };
  const processes = `${number} process${number === 1 ? '' : 'es'}`;
  const idle = now - Math.max(looked.activeAt ?? looked.since, lastEvent, looked.since);
  const state = idle >= limits.hungAfter ? 'hung' : 'quiet';
  return { state, evidence: `${silent}, ${processorText(looked, idle)}, ${processes}` };
}

function processorText({ activeAt, share, most, last }: ProcessSamples, idle: number): string {
  if (share === null) return 'its processes were sampled once';
  if (activeAt === last.at) {
    return share < activeShare ? 'its processes start and exit' : `${Math.round(share * 100)} % of a processor`;
  }
  return `${most < 0.005 ? 'no' : 'next to no'} processor time for ${shortDuration(idle)}`;
}
