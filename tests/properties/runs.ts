/**
 * Number of cases. `DIVISI_LONG` is a factor: absent in `npm test`, 1 in `npm run test:long`, 2 in `npm run test:soak`; a
 * fraction makes a short long run.
 */
const factor = Number(process.env['DIVISI_LONG'] ?? 0);

export const isLong = factor > 0;

/** `inTest` in every `npm test`, `inLong` times the factor in the long run. */
export function count(inTest: number, inLong: number): number {
  return isLong ? Math.ceil(inLong * factor) : inTest;
}

export const runs = { numRuns: count(500, 50_000) };

/** For cases that take a millisecond or more each. */
export const fewerRuns = { numRuns: count(300, 10_000) };

/** For cases that take several milliseconds each. */
export const fewRuns = { numRuns: count(80, 5_000) };
