/** The long run of CI, with many cases and large texts, instead of the one that is part of every `npm test`. */
export const isLong = Boolean(process.env['DIVISI_LONG']);

export const runs = { numRuns: isLong ? 100_000 : 500 };

/** For cases that take a millisecond or more each: the long run stays an hour's work at most. */
export const fewerRuns = { numRuns: isLong ? 20_000 : 300 };

/** For cases that take several milliseconds each. */
export const fewRuns = { numRuns: isLong ? 10_000 : 80 };
