/** Stops a command that writes without end: the disk belongs to everyone. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';

export interface OutputWatch {
  readonly exceeded: () => boolean;
  readonly end: () => void;
}

const everyMilliseconds = 1000;

/**
 * `stop` is called at most once, when the files together are larger than so many bytes. The files are those that are there
 * now: a command that takes their names away still writes to them.
 */
export function watchOutput(files: readonly string[], mostBytes: number, stop: () => void): OutputWatch {
  // Never waits: a pipe may stand there by now.
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
