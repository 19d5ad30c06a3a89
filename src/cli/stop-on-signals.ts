/** Turns Ctrl-C, a request to end and a lost terminal into an aborted signal, so that work outside of runs ends and leaves nothing behind. */
import { onLostOutput } from './output.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Call `end` when the work is done. */
export function stopOnSignals(onStop: () => void): { readonly signal: AbortSignal; end(): void } {
  const stopping = new AbortController();
  const stop = (): void => {
    if (stopping.signal.aborted) return;
    stopping.abort('gently');
    onStop();
  };
  for (const signal of signals) process.on(signal, stop);
  const forget = onLostOutput(stop);
  return {
    signal: stopping.signal,
    end() {
      for (const signal of signals) process.off(signal, stop);
      forget();
    },
  };
}
