/** What a turn has used, as far as its client says: a number that is absent is unknown, not zero. */
import { defined } from '../base/defined.ts';
import * as z from 'zod/mini';

/** More in one turn is a mistake, and sums of such numbers stay exact. */
export const mostUsage = 1_000_000_000_000;

const tokens = z.int().check(z.minimum(0), z.maximum(mostUsage));
const cost = z.number().check(z.minimum(0), z.maximum(mostUsage));

export interface Usage {
  readonly tokens?: z.infer<typeof tokens>;
  /** In the currency of whoever pays. */
  readonly cost?: z.infer<typeof cost>;
  /** Where the numbers are from, in the client's words. */
  readonly source?: string;
  /** The numbers are true but not the whole: of the last model call alone, for example. */
  readonly isPartial?: true;
}

/** Of what an agent wrote, the numbers that can be true; undefined when there is none. */
export function usageFrom(value: unknown): Usage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const known = {
    ...field('tokens', tokens, value),
    ...field('cost', cost, value),
  };
  return Object.keys(known).length === 0 ? undefined : known;
}

function field(name: 'tokens' | 'cost', schema: z.ZodMiniType<number>, given: object): Usage {
  const read = schema.safeParse(Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : undefined);
  return read.success ? { [name]: read.data } : {};
}

/** The same of what a driver has made of it: where it is from and that it is a part stay with the numbers that can be true. */
export function trueUsage(usage: Usage): Usage | undefined {
  const { source, isPartial } = usage;
  const known = usageFrom(usage);
  if (known === undefined) return undefined;
  return { ...known, ...defined({ source, isPartial }) };
}

/** To be spread into a turn: without a usage the key is absent. */
export function withUsage(usage: Usage | undefined): { readonly usage?: Usage } {
  return usage === undefined ? {} : { usage };
}

/**
 * What turns used together; undefined where none of them said anything. It is partial where one of them was, or was silent
 * about a number that another one gave. Whatever they said, the sum is one that can be true: more than `mostUsage` is at least
 * that much.
 */
export function usageOf(given: readonly (Usage | undefined)[]): Usage | undefined {
  const turns = given.map((turn) => (turn === undefined ? undefined : trueUsage(turn)));
  const said = turns.filter((turn) => turn !== undefined);
  const sums = numbers.flatMap((name) => {
    const amounts = said.flatMap((turn) => turn[name] ?? []);
    return amounts.length === 0 ? [] : [[name, amounts.reduce((sum, amount) => sum + amount)] as const];
  });
  if (sums.length === 0) return undefined;
  const isPartial =
    sums.some(([, sum]) => sum > mostUsage) ||
    turns.some((turn) => turn?.isPartial === true || sums.some(([name]) => turn?.[name] === undefined));
  const sources = [...new Set(said.flatMap(({ source }) => source ?? []))];
  return {
    ...Object.fromEntries(sums.map(([name, sum]) => [name, Math.min(sum, mostUsage)])),
    ...(sources.length === 0 ? {} : { source: sources.join(', ') }),
    ...(isPartial ? { isPartial } : {}),
  };
}

const numbers = ['tokens', 'cost'] as const;
