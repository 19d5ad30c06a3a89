/** Reading against the alternative on typical returns, and the time that hostile returns take. */
import { isDeepStrictEqual } from 'node:util';
import { read } from '../src/index.ts';
import { atMost, type Figures, type Print, rounded, sized } from './bench.ts';
import { alternatives } from './contracts-alternatives.ts';
import { type Hostile, hostileKinds } from './contracts-hostile.ts';
import { flat, type Sample, samples } from './contracts-returns.ts';
import { compare, timeEach } from './measure.ts';

/** Times the alternative takes. */
const mostTypical = 1;
/** Milliseconds during which the orchestrator does nothing else. */
const mostHostile = 100;
const hostileLength = sized(1_000_000, 100_000);

function outcome({ contract }: Sample, text: string): string {
  const reading = read(contract, text);
  return reading.ok ? 'accepted' : [...new Set(reading.violations.map(({ code }) => code))].join(', ');
}

/** Both sides must give the values that were written, or they do not do the same job. */
function checkSame({ wireFormat, contract, typical, values }: Sample): void {
  const { name, read: readOther } = alternatives[wireFormat];
  const other = readOther(typical) as Readonly<Record<string, unknown>>;
  // The report says `done` for `completed`.
  const given = { ...other, ...(wireFormat === 'report' ? { status: values['status'] } : {}) };
  if (!isDeepStrictEqual(given, values)) throw new Error(`${name} reads ${JSON.stringify(other)}`);
  if (!read(contract, typical).ok) throw new Error(`the typical ${wireFormat} return is refused`);
}

export function measureTypical(print: Print): Figures {
  print('Typical returns: reading, the alternative, and the ratio.');
  const effort = { repeats: sized(31, 5), warmUpMilliseconds: sized(400, 50) };
  const figures = samples.map((sample) => {
    checkSame(sample);
    const { wireFormat, contract } = sample;
    const { name, read: readOther } = alternatives[wireFormat];
    const typical = flat(sample.typical);
    const { subject, twin, ratio } = compare(
      () => read(contract, typical),
      () => readOther(typical),
      effort,
    );
    const times = `${rounded(subject / 1_000)} µs, ${name} ${rounded(twin / 1_000)} µs, ${rounded(ratio)}×`;
    print(`  ${wireFormat.padEnd(7)} ${contract.name}, ${typical.length} characters: ${times}`);
    return [`typical ratio, ${wireFormat}`, atMost(mostTypical, ratio, `× ${name}`)] as const;
  });
  print('');
  return Object.fromEntries(figures);
}

export interface Worst {
  readonly sample: Sample;
  readonly hostile: Hostile;
  /** Nanoseconds. */
  readonly time: number;
}

/** Answers the slowest kind of each format. */
export function measureHostile(print: Print): { figures: Figures; worst: Worst[] } {
  print(`Hostile returns of ${hostileLength} characters, the slowest first.`);
  const effort = { repeats: sized(5, 1), warmUpMilliseconds: 1 };
  const worst = samples.map((sample) => {
    const rows = hostileKinds(sample).map((hostile) => {
      const text = flat(hostile.text(hostileLength));
      const [time = 0] = timeEach([() => read(sample.contract, text)], effort);
      const line = `    ${`${rounded(time / 1e6)} ms`.padEnd(12)}${hostile.kind} (${outcome(sample, text)})`;
      return { sample, hostile, time, line };
    });
    const sorted = rows.toSorted((a, b) => b.time - a.time);
    print(`  ${sample.wireFormat}`, ...sorted.map(({ line }) => line));
    return sorted[0] as Worst;
  });
  print('');
  const size = `${hostileLength.toLocaleString('en')} characters`;
  const figures = worst.map(
    ({ sample, time }) =>
      [`slowest hostile ${size}, ${sample.wireFormat}`, atMost(mostHostile, time / 1e6, 'ms')] as const,
  );
  return { figures: Object.fromEntries(figures), worst };
}
