/**
 * A world without a real clock: time passes only when nothing else can happen. Timers belong to an incarnation of the
 * orchestrator, and die with it. The wall clock may jump; timers do not care.
 */
import type { Clock } from '../../src/engine/clock.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly owner: object;
  readonly callback: () => void;
}

export interface World {
  clockOf(owner: object): Clock;
  /** Timers of this owner never ring. */
  kill(owner: object): void;
  jump(milliseconds: number): void;
  /** Rings the next timer; false when there is none. */
  step(): boolean;
  now(): number;
}

export function newWorld(): World {
  let time = 0;
  let wall = 1_700_000_000_000;
  let order = 0;
  let timers: Timer[] = [];
  return {
    now: () => time,
    jump(milliseconds) {
      wall += milliseconds;
    },
    kill(owner) {
      timers = timers.filter((timer) => timer.owner !== owner);
    },
    clockOf(owner) {
      return {
        now: () => Math.max(0, Math.floor(wall + time)),
        after(milliseconds, callback) {
          order += 1;
          const timer = { at: time + Math.max(0, milliseconds), order, owner, callback };
          timers.push(timer);
          return () => {
            timers = timers.filter((other) => other !== timer);
          };
        },
      };
    },
    step() {
      let first: Timer | undefined;
      for (const timer of timers) {
        if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
          first = timer;
      }
      if (first === undefined) return false;
      timers = timers.filter((timer) => timer !== first);
      time = Math.max(time, first.at);
      first.callback();
      return true;
    },
  };
}
