/** Time as a parameter: the system's clock, or a simulated one. */
import { setTimeout as realTimeout, clearTimeout } from 'node:timers';

export interface Clock {
  /** Milliseconds, wall clock. */
  readonly now: () => number;
  /** Calls back once, after so many milliseconds; the returned function cancels it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
}

/** The longest delay a timer takes; no deadline is near it. */
const longestDelay = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, callback) {
    const timer = realTimeout(callback, Math.min(Math.max(0, milliseconds), longestDelay));
    return () => clearTimeout(timer);
  },
};
