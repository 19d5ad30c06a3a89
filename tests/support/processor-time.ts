/** Processor time of this thread, for tests of linear time: a busy machine must not fail them. */

function processorMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export function timeOf(work: () => unknown): number {
  const start = processorMilliseconds();
  work();
  return processorMilliseconds() - start;
}

/** Milliseconds that `reference` takes on the machine on which the limits were set, idle. */
const nominal = 5;

function reference(): number {
  let sum = 0;
  for (let at = 0; at < 200_000; at += 1) sum += String(at * 7919).length + (at % 13);
  return sum;
}

/** How many times slower this machine is at the moment: busy neighbours slow down memory and caches too. */
export function slowness(): number {
  const times = Array.from({ length: 5 }, () => timeOf(reference));
  return Math.max(1, Math.min(...times) / nominal);
}

const mostTries = 9;

/** Least time of up to nine tries, on the scale of an idle machine. The first one below `limit` decides. */
export function leastTime(work: () => unknown, limit: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < mostTries; tries += 1) {
    least = Math.min(least, timeOf(work));
    // So far over the limit that further tries would take minutes and change nothing.
    if (least < limit || least > 20 * limit) return least;
  }
  return least / slowness();
}
