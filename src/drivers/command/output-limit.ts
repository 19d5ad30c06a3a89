/** Stops a command that writes without end: the disk belongs to everyone. */
import { stat } from 'node:fs/promises';

export interface OutputWatch {
  readonly exceeded: () => boolean;
  readonly end: () => void;
}

const everyMilliseconds = 1000;

/** `stop` is called at most once, when the files together are larger than so many bytes. */
export function watchOutput(files: readonly string[], mostBytes: number, stop: () => void): OutputWatch {
  let exceeded = false;
  const timer = setInterval(() => {
    void totalSize(files).then((size) => {
      if (size <= mostBytes || exceeded) return;
      exceeded = true;
      clearInterval(timer);
      stop();
    });
  }, everyMilliseconds);
  return { exceeded: () => exceeded, end: () => clearInterval(timer) };
}

async function totalSize(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
