/** Our side of the comparison. */
import type { Driver, DriverTask } from '../src/drivers/driver.ts';
import type { Running } from './drivers-bare.ts';

/** Like `prepareBare`: what is answered starts the program. */
export function prepareOurs(driver: Driver, task: DriverTask): () => Running {
  const stop = new AbortController();
  const pid = Promise.withResolvers<number>();
  return () => {
    const conversation = driver.start(task, stop.signal, (note) => {
      if (note.kind === 'started') pid.resolve(note.pid ?? 0);
    });
    const broken = conversation.first.then((turn) => Promise.reject(new Error(JSON.stringify(turn))));
    broken.catch(() => undefined);
    const end = async (): Promise<void> => {
      stop.abort('at-once');
      await conversation.close();
    };
    return { pid: pid.promise, broken, end };
  };
}
