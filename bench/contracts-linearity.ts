/**
 * Time per character from 10 KB to 5 MB, for the return after ever more prose and for the slowest hostile kind.
 *
 * Two figures, neither of them corrected. `max/min` is the goal as it is written: constant within 2×. What the return
 * itself costs does not grow with the text around it, so that at 10 KB it is most of the time, and prose that is skipped
 * at gigabytes a second then looks like time that is not linear. `growth` is what must not happen: that a character
 * costs more in a longer text than in a shorter one.
 */
import { read } from '../src/index.ts';
import { atMost, type Figure, type Figures, type Print, rounded } from './bench.ts';
import type { Worst } from './contracts-ratios.ts';
import { flat, padded } from './contracts-returns.ts';
import { timeEach } from './measure.ts';

const goal = 2;
const lengths = [10_000, 100_000, 1_000_000, 5_000_000];

interface Series {
  readonly perCharacter: readonly number[];
  readonly spread: number;
  readonly growth: number;
}

function seriesOf({ sample }: Worst, textOf: (length: number) => string): Series {
  const texts = lengths.map((length) => flat(textOf(length)));
  const works = texts.map((text) => () => read(sample.contract, text));
  const times = timeEach(works, { repeats: 5, warmUpMilliseconds: 40 });
  const perCharacter = times.map((time, at) => time / (texts[at]?.length ?? 0));
  const rises = perCharacter.map((time, at) => time / Math.min(...perCharacter.slice(0, at + 1)));
  return { perCharacter, spread: Math.max(...perCharacter) / Math.min(...perCharacter), growth: Math.max(...rises) };
}

function row(name: string, { perCharacter, spread, growth }: Series): string {
  const times = perCharacter.map((time) => String(rounded(time)).padStart(9)).join('');
  return `    ${times}  ns   max/min ${`${rounded(spread)}×`.padEnd(7)} growth ${`${rounded(growth)}×`.padEnd(7)} ${name}`;
}

export function measureLinearity(print: Print, worst: readonly Worst[]): Figures {
  print(`Time per character at ${lengths.join(', ')} characters:`);
  const figures: [string, Figure][] = [];
  for (const one of worst) {
    const { sample, hostile } = one;
    const prose = seriesOf(one, (length) => padded(sample, length));
    const slowest = seriesOf(one, hostile.text);
    print(`  ${sample.wireFormat}`, row('prose before', prose), row(hostile.kind, slowest));
    figures.push(
      [`time per character, max/min, ${sample.wireFormat}`, atMost(goal, Math.max(prose.spread, slowest.spread), '×')],
      [`time per character, growth, ${sample.wireFormat}`, atMost(goal, Math.max(prose.growth, slowest.growth), '×')],
    );
  }
  print('');
  return Object.fromEntries(figures);
}
