/** Reading against `JSON.parse` of as many characters that say the same: typical returns, and hostile ones of 1 MB. */
import { read } from '../src/index.ts';
import { atMost, type Figures, type Print, rounded } from './bench.ts';
import { type Hostile, hostileKinds } from './contracts-hostile.ts';
import { flat, jsonTwin, type Sample, samples } from './contracts-returns.ts';
import { compare, type Comparison, type Effort } from './measure.ts';

const goal = 10;
const megabyte = 1_000_000;

function measured({ contract }: Sample, text: string, twin: string, effort: Effort): Comparison {
  if (text.length !== twin.length) throw new Error(`${text.length} characters against ${twin.length}`);
  const [flatText, flatTwin] = [flat(text), flat(twin)];
  return compare(
    () => read(contract, flatText),
    () => JSON.parse(flatTwin) as unknown,
    effort,
  );
}

/** What became of it: hostile returns need not be accepted. */
function outcome({ contract }: Sample, text: string): string {
  const reading = read(contract, text);
  return reading.ok ? 'accepted' : [...new Set(reading.violations.map(({ code }) => code))].join(', ');
}

export function measureTypical(print: Print): Figures {
  print('Typical returns: reading, JSON.parse of the twin, and the ratio.');
  const figures = samples.map((sample) => {
    const { wireFormat, contract, typical, values } = sample;
    const effort = { repeats: 31, warmUpMilliseconds: 400 };
    const { subject, twin, ratio } = measured(sample, typical, jsonTwin(values, typical.length), effort);
    const times = `${rounded(subject / 1_000)} µs, twin ${rounded(twin / 1_000)} µs, ${rounded(ratio)}×`;
    print(
      `  ${wireFormat.padEnd(7)} ${contract.name}, ${typical.length} characters: ${times} (${outcome(sample, typical)})`,
    );
    return [`typical ratio, ${wireFormat}`, atMost(goal, ratio, '× JSON.parse')] as const;
  });
  print('');
  return Object.fromEntries(figures);
}

export interface Worst {
  readonly sample: Sample;
  readonly hostile: Hostile;
  readonly ratio: number;
}

/** Answers the slowest kind of each format. */
export function measureHostile(print: Print): { figures: Figures; worst: Worst[] } {
  print(
    `Hostile returns of ${megabyte} characters: the ratio to JSON.parse of the twin, and the time; the slowest first.`,
  );
  const worst = samples.map((sample) => {
    const rows = hostileKinds(sample).map((hostile) => {
      const text = hostile.text(megabyte);
      const { subject, ratio } = measured(sample, text, hostile.twin(megabyte), { repeats: 5, warmUpMilliseconds: 1 });
      const measures = `${rounded(ratio)}×`.padEnd(9) + `${rounded(subject / 1e6)} ms`.padEnd(12);
      const line = `    ${measures}${hostile.kind} (${outcome(sample, text)})`;
      return { sample, hostile, ratio, line };
    });
    const sorted = rows.toSorted((a, b) => b.ratio - a.ratio);
    print(`  ${sample.wireFormat}`, ...sorted.map(({ line }) => line));
    return sorted[0] as Worst;
  });
  print('');
  const figures = worst.map(
    ({ sample, ratio }) => [`worst hostile ratio, ${sample.wireFormat}`, atMost(goal, ratio, '× JSON.parse')] as const,
  );
  return { figures: Object.fromEntries(figures), worst };
}
