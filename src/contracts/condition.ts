/**
 * Condition: tests field values, written as data: `{ approved: true, critical: { empty: true } }`. All entries must hold.
 * Conditions decide a result's status, a contract's rules and the orchestrator's action.
 */
import * as z from 'zod/mini';

const literal = z.lazy(() => z.union([z.string(), z.number(), z.boolean()]));

export type Test =
  | string
  | number
  | boolean
  | { readonly empty: boolean }
  | { readonly not: string | number | boolean }
  | { readonly above: number }
  | { readonly every: Condition };

export type Condition = Readonly<Record<string, Test>>;

const testSchema: z.ZodMiniType<Test> = z.lazy(() =>
  z.union(
    [
      literal,
      z.strictObject({ empty: z.boolean() }),
      z.strictObject({ not: literal }),
      z.strictObject({ above: z.number() }),
      z.strictObject({ every: conditionSchema }),
    ],
    'a value, or one of { empty }, { not }, { above }, { every }',
  ),
);

export const conditionSchema: z.ZodMiniType<Condition> = z.lazy(() => z.record(z.string(), testSchema));

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function passes(test: Test, value: unknown): boolean {
  if (typeof test !== 'object') return value === test;
  if ('empty' in test) return isEmpty(value) === test.empty;
  if ('not' in test) return value !== test.not;
  if ('above' in test) return typeof value === 'number' && value > test.above;
  return Array.isArray(value) && value.every((item) => holds(test.every, item));
}

/** The first field that breaks the condition; undefined when the condition holds. */
export function firstBroken(condition: Condition, values: unknown): string | undefined {
  const record = (values ?? {}) as Readonly<Record<string, unknown>>;
  return Object.keys(condition).find((name) => !passes(condition[name] as Test, record[name]));
}

export function holds(condition: Condition, values: unknown): boolean {
  return firstBroken(condition, values) === undefined;
}
