/**
 * LocalEngine: runs activities as promises in this process. Nothing here is durable: after a crash, the ledger shows what was
 * running.
 */
import { freshMap } from '../../core/state/fresh-map.ts';
import type { Clock } from '../clock.ts';
import type { Step } from '../../core/decide/steps.ts';
import type { Activity } from '../../core/attempt/activity.ts';
import type { ActivityEnd, Engine, Happening, Note, Question, StepEvent } from '../engine.ts';

/** Performs an activity. An abort asks it to end; the reason `at-once` leaves it no time. */
export type Perform = (activity: Activity, signal: AbortSignal, note: (note: Note) => void) => Promise<ActivityEnd>;

/** Undefined when it was cancelled. */
export type PerformStep = (step: Step, signal: AbortSignal) => Promise<StepEvent | undefined>;

export interface LocalEngine extends Engine {
  /** For happenings from outside: signals, the inbox, plan edits. */
  deliver(happening: Happening): void;
  /** Everything that has happened already, without waiting. */
  drain(): readonly Happening[];
  /** Makes the next race throw the error. */
  fail(error: unknown): void;
}

export interface LocalEngineOptions {
  readonly perform: Perform;
  /** Absent where nothing is verified or merged. */
  readonly performStep?: PerformStep;
  readonly clock: Clock;
  /** Waits until simultaneous happenings are in, to commit them together. */
  readonly gather?: () => Promise<void>;
}

const nextTurn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Longer waits are split: Node fires a timer of more than 2³¹ milliseconds at once. */
const longestTimer = 24 * 3_600_000;

export function localEngine({ perform, performStep, clock, gather = nextTurn }: LocalEngineOptions): LocalEngine {
  let running = new Map<string, AbortController>();
  const seen = new Set<string>();
  const asked = new Set<string>();
  /** Checkpoint → an answer that came before the question. */
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

  /** Starting the same key twice starts it once. */
  function begin(key: string, work: (signal: AbortSignal) => Promise<Happening>): void {
    if (seen.has(key)) return;
    seen.add(key);
    const controller = new AbortController();
    running.set(key, controller);
    void follow(key, work(controller.signal));
  }

  async function follow(key: string, work: Promise<Happening>): Promise<void> {
    try {
      const happening = await work;
      running.delete(key);
      running = freshMap(running);
      deliver(happening);
    } catch (error) {
      running.delete(key);
      fail(error);
    }
  }

  async function runActivity(activity: Activity, signal: AbortSignal): Promise<Happening> {
    const { key } = activity;
    const { end, outcome } = await perform(activity, signal, (note) => deliver({ kind: 'noted', key, note }));
    return { kind: 'ended', key, end, outcome };
  }

  async function runStep(step: Step, signal: AbortSignal): Promise<Happening> {
    const { key } = step;
    if (performStep === undefined) throw new Error(`this engine performs no steps: ${key}`);
    const event = await performStep(step, signal);
    // A cancelled step may be started again.
    if (event === undefined) seen.delete(key);
    return event === undefined ? { kind: 'interrupted', key } : { kind: 'stepped', key, event };
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
    start: (activity) => begin(activity.key, (signal) => runActivity(activity, signal)),
    step: (step) => begin(step.key, (signal) => runStep(step, signal)),
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
      // A fault in one activity ends the run, after the happenings of the others are delivered.
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
