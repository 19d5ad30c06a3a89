/** Similar plans: finds existing plans that share words with a new one and may be about the same work. */
import { fold, stemOf } from './plan-name.ts';

/** A new plan, or a description of the wanted work. */
export type Wanted =
  | { readonly stem: string; readonly title: string; readonly goal: string }
  | { readonly description: string };

export interface Existing {
  readonly planFile: string;
  readonly title: string;
  readonly goal: string;
}

/** Words of any plan, which carry no topic. */
const ofNoHelp = new Set(
  `a an and are as at be been but by can do does each every for from get has have how if in into is it its more most new no
  not of off on one only or our out over own same should so some such than that the their them then there these they this
  to too two until up us use used user was we what when where which while who will with without work works you your
  all any also both see run runs running plan plans task tasks wave waves goal project code file files part parts
  add adds added adding build builds change changes changed check checks checked checking clean cleanup create creates
  do done finish fix fixes fixed fixing implement implements improve improves improvement introduce make makes mend modify
  move polish prepare refactor refactoring remove rename repair replace rework rewrite set setup start support test tests
  testing better best fast faster simpler smaller larger less tidy update updates updated upgrade write writes writing todo step steps draft final first next phase v1 v2`.split(
    /\s+/,
  ),
);

/** Half of the shorter plan's words. */
const enough = 0.5;
/** A single common word is significant only among few. */
const few = 3;

function telling(text: string): ReadonlySet<string> {
  const words = fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !ofNoHelp.has(word) && !/^\d+$/.test(word));
  return new Set(words.map(singular));
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** From 0 to 1: the share of the shorter text that is in the other. */
function overlap(one: string, other: string): number {
  const [a, b] = [telling(one), telling(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  if (shared === 0 || (shared === 1 && Math.max(a.size, b.size) > few)) return 0;
  return shared / Math.min(a.size, b.size);
}

function likeness(wanted: Wanted, { planFile, title, goal }: Existing): number {
  const stem = stemOf(planFile);
  const pairs: readonly (readonly [string, string])[] =
    'description' in wanted
      ? [stem, title, goal].map((text) => [wanted.description, text])
      : [
          [wanted.stem, stem],
          [wanted.title, title],
          [wanted.goal, goal],
        ];
  return Math.max(...pairs.map(([one, other]) => overlap(one, other)));
}

/** Sorted by similarity; ties keep their order. */
export function similarPlans<T extends Existing>(wanted: Wanted, existing: readonly T[]): T[] {
  return existing
    .map((plan) => ({ plan, likeness: likeness(wanted, plan) }))
    .filter(({ likeness: found }) => found >= enough)
    .toSorted((one, other) => other.likeness - one.likeness)
    .map(({ plan }) => plan);
}
