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
