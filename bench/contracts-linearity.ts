/** Measures how the time per character grows with the text, for reading and for the alternative. */
import { read } from '../src/index.ts';
import { atMost, type Figure, type Figures, type Print, recorded, rounded, sized } from './bench.ts';
import { alternatives } from './contracts-alternatives.ts';
import { hostileKinds } from './contracts-hostile.ts';
import type { Worst } from './contracts-ratios.ts';
import { flat, padded, type Sample } from './contracts-returns.ts';
import { timeEach } from './measure.ts';

const goal = 2;
const lengths = sized([10_000, 100_000, 1_000_000, 5_000_000], [10_000, 100_000]);
/** Ten times the text; a reader that takes quadratic time takes ten times as long per character. */
const [small, large] = [5_000, 50_000];

interface Series {
  readonly perCharacter: readonly number[];
  /** How much more a character costs in a longer text than in a shorter one. */
  readonly growth: number;
}

function seriesOf({ sample }: Worst, textOf: (length: number) => string): Series {
  const texts = lengths.map((length) => flat(textOf(length)));
  const works = texts.map((text) => () => read(sample.contract, text));
  const times = timeEach(works, { repeats: sized(5, 3), warmUpMilliseconds: sized(40, 10) });
  const perCharacter = times.map((time, at) => time / (texts[at]?.length ?? 0));
  const rises = perCharacter.map((time, at) => time / Math.min(...perCharacter.slice(0, at + 1)));
  return { perCharacter, growth: Math.max(...rises) };
}

function row(name: string, { perCharacter, growth }: Series): string {
  const times = perCharacter.map((time) => String(rounded(time)).padStart(9)).join('');
  return `    ${times}  ns   growth ${`${rounded(growth)}×`.padEnd(7)} ${name}`;
}

interface OtherGrowth {
  readonly kind: string;
  readonly growth: number;
}

/** The kind on which the alternative grows most, and the kinds on which it exhausts the stack. */
function alternativeGrowth(sample: Sample): { readonly steepest: OtherGrowth; readonly overflows: readonly string[] } {
  const { read: readOther } = alternatives[sample.wireFormat];
  const overflows: string[] = [];
  const grown = hostileKinds(sample).map(({ kind, text }): OtherGrowth => {
    const works = [small, large].map((length) => {
      const hostile = flat(text(length));
      return (): void => {
        try {
          readOther(hostile);
        } catch (error) {
          if (error instanceof RangeError && !overflows.includes(kind)) overflows.push(kind);
        }
      };
    });
    const [short = 0, long = 0] = timeEach(works, { repeats: sized(3, 1), warmUpMilliseconds: 1 });
    return { kind, growth: long / short / (large / small) };
  });
  const [steepest = { kind: 'none', growth: 0 }] = grown.toSorted((a, b) => b.growth - a.growth);
  return { steepest, overflows };
}

export function measureLinearity(print: Print, worst: readonly Worst[]): Figures {
  print(`Time per character at ${lengths.join(', ')} characters; of the alternative, from ${small} to ${large}:`);
  const figures: [string, Figure][] = [];
  for (const one of worst) {
    const { sample, hostile } = one;
    const { wireFormat } = sample;
    const prose = seriesOf(one, (length) => padded(sample, length));
    const slowest = seriesOf(one, hostile.text);
    const { name } = alternatives[wireFormat];
    const { steepest, overflows } = alternativeGrowth(sample);
    print(
      `  ${wireFormat}`,
      row('prose before', prose),
      row(hostile.kind, slowest),
      `    ${name}: growth ${rounded(steepest.growth)}× with ${steepest.kind}`,
      ...(overflows.length === 0 ? [] : [`    ${name}: stack overflow with ${overflows.join(', ')}`]),
    );
    figures.push(
      [`growth per character, ${wireFormat}`, atMost(goal, Math.max(prose.growth, slowest.growth), '×')],
      [`growth per character, ${wireFormat}, ${name}`, recorded(steepest.growth, '×')],
      [`stack overflows, ${wireFormat}, ${name}`, recorded(overflows.length, 'hostile kinds')],
    );
  }
  print('');
  return Object.fromEntries(figures);
}
