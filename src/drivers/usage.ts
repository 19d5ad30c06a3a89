/** What a turn has used, as far as its client says: a number that is absent is unknown, not zero. */
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

/** To be spread into a turn: without a usage the key is absent. */
export function withUsage(usage: Usage | undefined): { readonly usage?: Usage } {
  return usage === undefined ? {} : { usage };
}

/**
 * What turns used together; undefined where none of them said anything. It is partial where one of them was, or was silent
 * about a number that another one gave.
 */
export function usageOf(turns: readonly (Usage | undefined)[]): Usage | undefined {
  const said = turns.filter((turn) => turn !== undefined);
  const total = { ...sumOf('tokens', said), ...sumOf('cost', said) };
  const names = Object.keys(total) as (keyof typeof total)[];
  if (names.length === 0) return undefined;
  const isPartial = turns.some((turn) => turn?.isPartial === true || names.some((name) => turn?.[name] === undefined));
  const sources = [...new Set(said.flatMap(({ source }) => source ?? []))];
  return {
    ...total,
    ...(sources.length === 0 ? {} : { source: sources.join(', ') }),
    ...(isPartial ? { isPartial } : {}),
  };
}

function sumOf(name: 'tokens' | 'cost', turns: readonly Usage[]): Usage {
  const amounts = turns.flatMap((turn) => turn[name] ?? []);
  return amounts.length === 0 ? {} : { [name]: amounts.reduce((sum, amount) => sum + amount) };
}
