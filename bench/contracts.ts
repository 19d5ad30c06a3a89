/** Reading returns against `JSON.parse`, how its time grows, and how little of a return enters the context. */
import type { Bench } from './bench.ts';
import { measureBriefs } from './contracts-briefs.ts';
import { measureLinearity } from './contracts-linearity.ts';
import { measureHostile, measureTypical } from './contracts-ratios.ts';

export const contracts: Bench = {
  compares: `reading a return against JSON.parse of the same fields, padded to the same size.
  The twin of a return is one JSON object: the same fields with the same values, and one more string, "padding", that makes
  it exactly as long as the return with everything around it. Where a hostile return fills a field with very many items,
  so does its twin, with as many of them as fit. All is ASCII, so that characters are bytes, except where half characters
  are the point. Times are processor time, medians of batches taken in turns; a ratio is the median of the ratios of neighbours.`,
  run: async (print) => {
    const typical = measureTypical(print);
    const { figures: hostile, worst } = measureHostile(print);
    const linearity = measureLinearity(print, worst);
    return { ...typical, ...hostile, ...linearity, ...(await measureBriefs(print)) };
  },
};
