/** Usage: the tokens and cost of a turn, as its client reports them. An absent number is unknown, not zero. */
import { defined } from '../base/defined.ts';
import * as z from 'zod/mini';

/** More in one turn is a mistake. Sums of such numbers stay exact. */
export const mostUsage = 1_000_000_000_000;

const tokens = z.int().check(z.minimum(0), z.maximum(mostUsage));
const cost = z.number().check(z.minimum(0), z.maximum(mostUsage));

export interface TurnUsage {
  readonly tokens?: z.infer<typeof tokens>;
  /** In the currency of the client's account. */
  readonly cost?: z.infer<typeof cost>;
  /** The client's name for the source of the numbers. */
  readonly source?: string;
  /** The numbers are correct but incomplete: of the last model call only, for example. */
  readonly isPartial?: true;
}

/** Keeps the plausible numbers of an unknown value; undefined if there are none. */
export function usageFrom(value: unknown): TurnUsage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const known = {
    ...field('tokens', tokens, value),
    ...field('cost', cost, value),
  };
  return Object.keys(known).length === 0 ? undefined : known;
}

function field(name: 'tokens' | 'cost', schema: z.ZodMiniType<number>, given: object): TurnUsage {
  const read = schema.safeParse(Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : undefined);
  return read.success ? { [name]: read.data } : {};
}

/** Keeps the plausible numbers, with their source and whether they are partial. */
export function trueUsage(usage: TurnUsage): TurnUsage | undefined {
  const { source, isPartial } = usage;
  const known = usageFrom(usage);
  if (known === undefined) return undefined;
  return { ...known, ...defined({ source, isPartial }) };
}

/** To spread into a turn: omits the key if there is no usage. */
export function withUsage(usage: TurnUsage | undefined): { readonly usage?: TurnUsage } {
  return usage === undefined ? {} : { usage };
}

/**
 * The sum of several turns; undefined if none reported any. Partial if one of them is, or lacks a number that another has. A sum
 * above `mostUsage` is capped and partial.
 */
export function usageOf(given: readonly (TurnUsage | undefined)[]): TurnUsage | undefined {
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
