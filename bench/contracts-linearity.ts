/**
 * Time per character from 10 KB to 5 MB: constant where reading takes linear time.
 *
 * What a return costs however little stands around it shows at 10 KB and not at 5 MB, where skipping prose costs next to
 * nothing. So two figures: of the times as they are, and of the times less what the return alone takes.
 */
import { read } from '../src/index.ts';
import { atMost, type Figure, type Figures, type Print, rounded } from './bench.ts';
import type { Worst } from './contracts-ratios.ts';
import { padded, type Sample } from './contracts-returns.ts';
import { timeEach } from './measure.ts';

const goal = 2;
const lengths = [10_000, 100_000, 1_000_000, 5_000_000];

function spread(values: readonly number[]): number {
  return Math.max(...values) / Math.min(...values);
}

/** How much more a character costs in a longer text than in a shorter one, at most. */
function growth(perCharacter: readonly number[]): number {
  const rises = perCharacter.map((time, at) => time / Math.min(...perCharacter.slice(0, at + 1)));
  return Math.max(...rises);
}

interface Series {
  readonly name: string;
  readonly perCharacter: readonly number[];
}

function measureSeries({ contract }: Sample, name: string, textOf: (length: number) => string): Series {
  const texts = lengths.map(textOf);
  const times = timeEach(texts.map((text) => () => read(contract, text)), 7);
  return { name, perCharacter: times.map((time, at) => time / (lengths[at] ?? 1)) };
}
