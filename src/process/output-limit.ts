/** Stops a command that writes too much to its output files. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';

export interface OutputWatch {
  readonly exceeded: () => boolean;
  readonly end: () => void;
}

const everyMilliseconds = 1000;

/**
 * Calls `stop` at most once, when the files together exceed `mostBytes`. Watches the files that exist now: a command still writes
 * to them after renaming them.
 */
export function watchOutput(files: readonly string[], mostBytes: number, stop: () => void): OutputWatch {
  // Never blocks: it may be a pipe by now.
  const descriptors = files.map((file) => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK));
  let exceeded = false;
  const timer = setInterval(() => {
    const size = descriptors.reduce((sum, descriptor) => sum + fstatSync(descriptor).size, 0);
    if (size <= mostBytes || exceeded) return;
    exceeded = true;
    clearInterval(timer);
    stop();
  }, everyMilliseconds);
  return {
    exceeded: () => exceeded,
    end: () => {
      clearInterval(timer);
      for (const descriptor of descriptors) closeSync(descriptor);
    },
  };
}
