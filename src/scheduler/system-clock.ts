import { setTimeout as realTimeout, clearTimeout } from 'node:timers';
import type { Clock } from '../engine/clock.ts';

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, callback) {
    // Longer than a timer can be: no deadline comes near it.
    const timer = realTimeout(callback, Math.min(Math.max(0, milliseconds), 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};
