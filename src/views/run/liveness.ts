/**
 * Whether an agent is at work, as far as can be seen from outside, and the evidence for it in words. For people alone: no
 * delegation is ended because of it, only because of its deadline.
 *
 * working → quiet: nothing has come from it for a minute
 * quiet → hung: two minutes of looking at its processes have seen nothing of them either
 * dead: two looks have found no process
 * Whatever it says, or does, takes it back.
 */
import { shortDuration } from '../text/quantity.ts';

export const livenessStates = ['working', 'quiet', 'hung', 'dead'] as const;

export interface Liveness {
  readonly state: (typeof livenessStates)[number];
  readonly evidence: string;
}

/** Its processes at one moment. */
export interface ProcessLook {
  readonly at: number;
  /** Processor time in hundredths of a second. */
  readonly ticks: number;
  readonly processes: readonly string[];
}

/** What one look after the other has shown. */
export interface Watched {
  readonly since: number;
  readonly last: ProcessLook;
  /** When its processes were last seen at work. */
  readonly activeAt: number | null;
  /** Of one processor, between the last two looks; null before there were two. */
  readonly share: number | null;
  /** The most of it between two looks since it was last at work. */
  readonly most: number;
  /** The first of the looks that have found no process. */
  readonly goneSince: number | null;
}

export interface LivenessFacts {
  readonly now: number;
  /** When something last came from it; its start where nothing has. */
  readonly lastEvent: number;
  /** Absent before the first look; `unsupported` where they cannot be seen: on another machine, or a system that does not show them. */
  readonly watched?: Watched | 'unsupported';
  /** It was started as a process of its own. */
  readonly hasProcess: boolean;
}

export const livenessLimits = { quietAfter: 60_000, hungAfter: 120_000 };

/**
 * Programs that only wait were seen to use up to 2 %, for timers and the like, and at times 6 %; one of many that work on few
 * processors may get no more than that. In doubt it is quiet rather than hung.
 */
const activeShare = 0.03;
const tick = 10;

export function watchOn(before: Watched | undefined, look: ProcessLook): Watched {
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
  const { now, lastEvent, watched, hasProcess } = facts;
  const silence = now - lastEvent;
  const silent = `no message for ${shortDuration(silence)}`;
  const looked = watched === 'unsupported' ? undefined : watched;
  if (hasProcess && looked !== undefined && looked.goneSince !== null && looked.last.at > looked.goneSince) {
    return { state: 'dead', evidence: `no process left, ${silent}` };
  }
  if (silence < limits.quietAfter) return { state: 'working', evidence: `last message ${shortDuration(silence)} ago` };
  if (!hasProcess) return { state: 'quiet', evidence: `${silent}, no process of its own` };
  if (watched === 'unsupported')
    return { state: 'quiet', evidence: `${silent}; its processes cannot be seen from here` };
  if (looked === undefined) return { state: 'quiet', evidence: silent };
  const number = looked.last.processes.length;
  if (number === 0) return { state: 'quiet', evidence: `${silent}, no process found` };
  const processes = `${number} process${number === 1 ? '' : 'es'}`;
  const idle = now - Math.max(looked.activeAt ?? looked.since, lastEvent, looked.since);
  const state = idle >= limits.hungAfter ? 'hung' : 'quiet';
  return { state, evidence: `${silent}, ${processorText(looked, idle)}, ${processes}` };
}

function processorText({ activeAt, share, most, last }: Watched, idle: number): string {
  if (share === null) return 'its processes have been looked at once';
  if (activeAt === last.at) {
    return share < activeShare ? 'its processes come and go' : `${Math.round(share * 100)} % of a processor`;
  }
  return `${most < 0.005 ? 'no' : 'next to no'} processor time for ${shortDuration(idle)}`;
}
