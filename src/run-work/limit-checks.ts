/** Limits how many acceptance commands of a run are running at the same time; the others wait for their turn, in order. */
import { availableParallelism } from 'node:os';

export type Limited = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Half of the processors: test runners use several themselves, and the agents need some. */
export function defaultChecks(): number {
  return Math.max(1, Math.floor(availableParallelism() / 2));
}

/** `most` may change. An aborted signal throws its reason, also while waiting. */
export function limitChecks(most: () => number): Limited {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (running < most()) {
      running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal.reason as Error);
      };
      waiting.push(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  return async (work, signal) => {
    await turn(signal);
    try {
      return await work();
    } finally {
      running -= 1;
      while (running < most() && waiting.length > 0) {
        running += 1;
        waiting.shift()?.();
      }
    }
  };
}
