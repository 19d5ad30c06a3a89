/** Two sides of a comparison that take turns, so that noise hits both. */
import { sized } from './bench.ts';
import { median } from './measure.ts';

export type Side = 'ours' | 'bare';

/** Milliseconds until the first model request. */
export interface Timed {
  readonly wall: number;
  /** Of the process that makes the call: another process does not lengthen it. */
  readonly processor: number;
  /** Arguments and environment as the system has them, without what names the delegation. */
  readonly call: string;
}

export interface Compared {
  /** Medians. */
  readonly ours: number;
  readonly bare: number;
  /** The median of the differences of neighbours. */
  readonly difference: number;
  /** Between which half of these differences lie. */
  readonly half: readonly [number, number];
  /** The fastest of ours less the fastest bare: what is left when the machine did nothing else. */
  readonly fastest: number;
  /** The median of the differences in processor time. */
  readonly processor: number;
  readonly pairs: number;
}

const fewest = sized(5, 1);
const most = 25;

type Pair = Readonly<Record<Side, Timed>>;

/** At least five pairs, and more where there is time for them. Who goes first takes turns as well. */
export async function comparePairs(time: (side: Side) => Promise<Timed>, seconds: number): Promise<Compared> {
  const pairs: Pair[] = [];
  for (const until = Date.now() + seconds * 1000; pairs.length < fewest || Date.now() < until;) {
    const isFirst = pairs.length % 2 === 0;
    const one = await time(isFirst ? 'ours' : 'bare');
    const other = await time(isFirst ? 'bare' : 'ours');
    if (one.call !== other.call) throw new Error(`not the same call:\n${one.call}\n\n${other.call}`);
    pairs.push(isFirst ? { ours: one, bare: other } : { ours: other, bare: one });
    if (pairs.length === most) break;
  }
  return summary(pairs);
}

function summary(pairs: readonly Pair[]): Compared {
  const walls = (side: Side): number[] => pairs.map((pair) => pair[side].wall);
  const differences = pairs.map(({ ours, bare }) => ours.wall - bare.wall).toSorted((a, b) => a - b);
  const at = (share: number): number => differences[Math.round((differences.length - 1) * share)] ?? Number.NaN;
  return {
    ours: median(walls('ours')),
    bare: median(walls('bare')),
    difference: median(differences),
    half: [at(0.25), at(0.75)],
    fastest: Math.min(...walls('ours')) - Math.min(...walls('bare')),
    processor: median(pairs.map(({ ours, bare }) => ours.processor - bare.processor)),
    pairs: pairs.length,
  };
}
