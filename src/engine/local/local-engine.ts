/**
 * The engine of one machine: activities are promises in this process. Nothing here is durable; the ledger is, and what was
 * running when the process died is found there.
 */
import { freshMap } from '../../core/fresh-map.ts';
import type { Clock } from '../clock.ts';
import type { Activity, Ended, Engine, Happening, Note, Question } from '../engine.ts';

/** What an activity is told: the first abort asks it to end, a reason of `at-once` leaves it no time. */
export type Perform = (activity: Activity, signal: AbortSignal, note: (note: Note) => void) => Promise<Ended>;

export interface LocalEngine extends Engine {
  /** For what comes from outside of the activities: signals, the inbox. */
  deliver(happening: Happening): void;
  /** What has happened already, without waiting. */
  drain(): readonly Happening[];
  /** Something around the activities broke: the next race throws it. */
  fail(error: unknown): void;
}

export interface LocalEngineOptions {
  readonly perform: Perform;
  readonly clock: Clock;
  /** Waits until what happens at the same moment has happened, so that it is committed together. */
  readonly gather?: () => Promise<void>;
}

const nextTurn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Timers of more than 24 days ring at once. */
const longestTimer = 24 * 3_600_000;

export function localEngine({ perform, clock, gather = nextTurn }: LocalEngineOptions): LocalEngine {
  let running = new Map<string, AbortController>();
  const seen = new Set<string>();
  const asked = new Set<string>();
  /** Answers to questions that have not been asked yet. */
  const early = new Map<string, Happening>();
  let happened: Happening[] = [];
  let fault: { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  let alarm: { readonly time: number; readonly off: () => void } | undefined;

  function deliver(happening: Happening): void {
    if (happening.kind === 'answered' && !asked.has(happening.key)) {
      early.set(happening.key, happening);
      return;
    }
    happened.push(happening);
    wake?.();
  }

  async function follow(activity: Activity, controller: AbortController): Promise<void> {
    const { key } = activity;
    try {
      const ended = await perform(activity, controller.signal, (note) => deliver({ kind: 'noted', key, note }));
      running.delete(key);
      running = freshMap(running);
      deliver({ kind: 'ended', key, end: ended.end, outcome: ended.outcome });
    } catch (error) {
      running.delete(key);
      fail(error);
    }
  }

  function fail(error: unknown): void {
    fault ??= { error };
    wake?.();
  }

  function setAlarm(time: number): void {
    const left = time - clock.now();
    const off = clock.after(Math.max(0, Math.min(left, longestTimer)), () => {
      if (left > longestTimer) {
        setAlarm(time);
        return;
      }
      alarm = undefined;
      deliver({ kind: 'time', time });
    });
    alarm = { time, off };
  }

  function drain(): readonly Happening[] {
    const given = happened;
    happened = [];
    return given;
  }

  return {
    deliver,
    drain,
    fail,
    start(activity) {
      if (seen.has(activity.key)) return;
      seen.add(activity.key);
      const controller = new AbortController();
      running.set(activity.key, controller);
      void follow(activity, controller);
    },
    ask({ key }: Question) {
      asked.add(key);
      const answer = early.get(key);
      early.delete(key);
      if (answer !== undefined) deliver(answer);
    },
    async race() {
      if (happened.length === 0 && fault === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
      await gather();
      // A fault of ours in one activity ends the run; what the others bring until then is not lost.
      if (happened.length === 0 && fault !== undefined) throw fault.error;
      return drain();
    },
    wakeAt(time) {
      if (alarm?.time === time) return;
      alarm?.off();
      alarm = undefined;
      if (time !== undefined) setAlarm(time);
    },
    cancel(how) {
      for (const controller of running.values()) controller.abort(how);
    },
  };
}
