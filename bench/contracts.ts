/** Reading returns: its time against what projects use instead, its growth, and how little of a return enters the context. */
import type { Bench } from './bench.ts';
import { measureBriefs } from './contracts-briefs.ts';
import { measureLinearity } from './contracts-linearity.ts';
import { measureHostile, measureTypical } from './contracts-ratios.ts';

export const contracts: Bench = {
  compares: `reading a return against the readers that projects write instead, on the same text to the same values:
  gray-matter for reports, jsonrepair for JSON, regular expressions for blocks and lines, each followed by zod. They neither
  repair, redact nor locate what they find. Times are processor time, medians of batches taken in turns; a ratio is the
  median of the ratios of neighbours. Growth is how much more a character costs in a longer text.`,
  run: async (print) => {
    const typical = measureTypical(print);
    const { figures: hostile, worst } = measureHostile(print);
    const linearity = measureLinearity(print, worst);
    return { ...typical, ...hostile, ...linearity, ...(await measureBriefs(print)) };
  },
};
