import type { Parameters } from 'fast-check';

/** How many cases a property is tried with: few in every run of the tests, many in the long run of CI. */
export const runs: Pick<Parameters<unknown>, 'numRuns'> = { numRuns: process.env['TUTTI_LONG'] ? 100_000 : Number(process.env['N'] ?? 500) };
