/**
 * Time per call on a machine that does other things as well: processor time of this process (its garbage collection
 * included), in batches long enough for that clock, the median of several batches, and the sides of a comparison in
 * turns, so that noise hits both.
 */

export interface Comparison {
  /** Nanoseconds per call. */
  readonly subject: number;
  readonly twin: number;
  /** The median of the ratios of neighbouring batches, not the ratio of the medians: neighbours share their noise. */
  readonly ratio: number;
}

type Work = () => unknown;

/** A batch takes at least about this long. */
const batchNanoseconds = 1_500_000;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function batch(work: Work, calls: number): number {
  const start = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) work();
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1_000) / calls;
}

/** Warms up until the compiler has nothing more to do, and answers how many calls make a batch. */
function callsPerBatch(work: Work, warmUpNanoseconds: number): number {
  let calls = 1;
  let spent = 0;
  for (;;) {
    const time = batch(work, calls) * calls;
    spent += time;
    if (time < batchNanoseconds) calls *= 2;
    else if (spent >= warmUpNanoseconds) return calls;
  }
}

export interface Effort {
  readonly repeats: number;
  /** Spent on each side before anything counts. */
  readonly warmUpMilliseconds: number;
}

export function compare(subject: Work, twin: Work, { repeats, warmUpMilliseconds }: Effort): Comparison {
  const warmUp = warmUpMilliseconds * 1_000_000;
  const [subjectCalls, twinCalls] = [callsPerBatch(subject, warmUp), callsPerBatch(twin, warmUp)];
  const pairs = Array.from({ length: repeats }, () => [batch(subject, subjectCalls), batch(twin, twinCalls)] as const);
  return {
    subject: median(pairs.map(([time]) => time)),
    twin: median(pairs.map(([, time]) => time)),
    ratio: median(pairs.map(([time, twinTime]) => time / twinTime)),
  };
}

/** Nanoseconds per call of each, in turns. */
export function timeEach(works: readonly Work[], { repeats, warmUpMilliseconds }: Effort): number[] {
  const prepared = works.map((work) => ({ work, calls: callsPerBatch(work, warmUpMilliseconds * 1_000_000) }));
  const rounds = Array.from({ length: repeats }, () => prepared.map(({ work, calls }) => batch(work, calls)));
  return works.map((_, at) => median(rounds.map((times) => times[at] ?? Number.NaN)));
}
