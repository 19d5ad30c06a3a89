/** Limit settings: the schema of the config's `limits`, with the usual limits of each tier as defaults. */
import * as z from 'zod/mini';
import { type DelegationLimits, usualLimits } from '../base/delegation-limits.ts';

const off = 'off';

function limit(form: RegExp, expected: string): z.ZodMiniType<number | null, string> {
  return z.pipe(
    z.string(expected).check(
      z.regex(form, { error: expected, abort: true }),
      z.refine((text) => text === off || Number(text) > 0, expected),
    ),
    z.transform((text) => (text === off ? null : Number(text))),
  );
}

const count = limit(/^(?:off|\d{1,12})$/, 'a whole number from 1, or off');
const amount = limit(/^(?:off|\d{1,6}(?:\.\d{1,4})?)$/, 'an amount such as 2.50, or off');

export interface WrittenLimits {
  readonly turns?: string | undefined;
  readonly tokens?: string | undefined;
  readonly cost?: string | undefined;
}

function limitsOf(tier: keyof typeof usualLimits): z.ZodMiniType<DelegationLimits, WrittenLimits> {
  const { turns, tokens, cost } = usualLimits[tier];
  const written = z.strictObject({
    turns: z._default(count, turns),
    tokens: z._default(count, tokens),
    cost: z._default(amount, cost),
  });
  return z.pipe(
    written,
    z.transform((limits) => Object.fromEntries(Object.entries(limits).filter(([, one]) => one !== null))),
  );
}

export const limitSettings = z.strictObject({
  fast: z.prefault(limitsOf('fast'), {}),
  standard: z.prefault(limitsOf('standard'), {}),
  deep: z.prefault(limitsOf('deep'), {}),
});
