/** Values a contract accepts, made from nothing but its fields and rules. */
import * as fc from 'fast-check';
import { type Condition, firstBroken, holds, type Test } from '../../src/contracts/condition.ts';
import type { Contract } from '../../src/contracts/contract.ts';
import { type Field, type Fields, type FieldType, limits } from '../../src/contracts/field.ts';
import { statuses } from '../../src/contracts/status.ts';
import { saysNone } from '../../src/contracts/wire/raw.ts';
import { arbitraryPath, arbitraryText } from './arbitrary-text.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface ValueOptions {
  /** For formats with little room. */
  readonly maxLength?: number;
  readonly maxItems?: number;
  /** Every list has an item, every optional field is there. */
  readonly full?: boolean;
}

function arbitraryNumber({ min, max, integer }: FieldType & { type: 'number' }): fc.Arbitrary<number> {
  const lower = min ?? -Number.MAX_SAFE_INTEGER;
  const upper = max ?? Number.MAX_SAFE_INTEGER;
  const whole = fc.integer({ min: Math.ceil(lower), max: Math.floor(upper) });
  const any = fc.double({ min: min ?? -1e300, max: max ?? 1e300, noNaN: true });
  // There is no way to write down a zero below zero.
  return (integer === true ? whole : fc.oneof(whole, any)).map((value) => (value === 0 ? 0 : value));
}

const arbitraryProgress = fc
  .tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 1, max: 999_999 }))
  .map(([current, total]) => ({ current: Math.min(current, total), total }));

const base36 = '0123456789abcdefghijklmnopqrstuvwxyz'.split('');
const arbitraryId = fc
  .tuple(
    fc.integer({ min: 10_000_000, max: 999_999_999_999 }),
    fc.array(fc.constantFrom(...base36), { minLength: 6, maxLength: 6 }),
  )
  .map(([seconds, tail]) => `sess_${seconds}_${tail.join('')}`);

function arbitraryOf(type: FieldType, options: ValueOptions): fc.Arbitrary<unknown> {
  switch (type.type) {
    case 'text':
      return arbitraryText(Math.min(options.maxLength ?? limits.text, type.maxLength ?? limits.text));
    case 'path':
      return arbitraryPath;
    case 'id':
      return arbitraryId;
    case 'status':
      return fc.constantFrom(...statuses);
    case 'flag':
      return fc.boolean();
    case 'number':
      return arbitraryNumber(type);
    case 'choice':
      return fc.constantFrom(...type.of);
    case 'progress':
      return arbitraryProgress;
    case 'list':
      return fc.array(arbitraryOf(type.of, options), {
        minLength: options.full === true ? 1 : 0,
        maxLength: options.maxItems ?? 4,
      });
    case 'record':
      return arbitraryFields(type.fields, options);
    default:
      return type satisfies never;
  }
}

function arbitraryField(field: Field, options: ValueOptions): fc.Arbitrary<unknown> {
  // The field is text; its slot accepts only versions of the form.
  const given = field.is === 'schema-version' ? fc.constantFrom('1.0.0', '1.12.3') : arbitraryOf(field, options);
  if (field.presence === undefined || field.presence === 'required') return given;
  // Where nothing is allowed, a word for it means nothing: see print-read.ts.
  const present = field.type === 'text' ? given.map((text) => (saysNone((text as string).trim()) ? 'x' : text)) : given;
  if (options.full === true) return present;
  if (field.presence === 'optional') return fc.option(present, { nil: undefined });
  return field.type === 'list' ? present : fc.option(present, { nil: null });
}

function arbitraryFields(fields: Fields, options: ValueOptions): fc.Arbitrary<Values> {
  const entries = Object.entries(fields).map(([name, field]) => [name, arbitraryField(field, options)] as const);
  return fc.record(Object.fromEntries(entries)).map(withoutAbsent);
}

function withoutAbsent(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The value changed so that the test passes; what is missing comes from `full`. */
function satisfied(type: FieldType | undefined, test: Test, value: unknown, full: unknown): unknown {
  if (typeof test !== 'object') return test;
  if ('empty' in test) {
    if (!test.empty) return full;
    return type?.type === 'list' ? [] : null;
  }
  if ('not' in test) return type?.type === 'choice' ? type.of.find((option) => option !== test.not) : value;
  if ('above' in test) return test.above + 1;
  const item = type?.type === 'list' ? type.of : undefined;
  if (item?.type !== 'record') return value;
  return (value as Values[]).map((one) => obeying(item.fields, test.every, one, (full as Values[])[0] ?? {}));
}

function obeying(fields: Fields, condition: Condition, values: Values, full: Values): Values {
  const result: Record<string, unknown> = { ...values };
  for (const [name, test] of Object.entries(condition)) {
    if (holds({ [name]: test }, result)) continue;
    result[name] = satisfied(fields[name], test, result[name], full[name]);
  }
  return result;
}

/** Steered rather than filtered, so that the rare combinations a rule asks for are as frequent as any. */
function obeyingRules({ fields, rules }: Contract, values: Values, full: Values): Values {
  const steered = rules.reduce((now, { when, then }) => {
    const applies = when === undefined || holds(when, now);
    return applies && firstBroken(then, now) !== undefined ? obeying(fields, then, now, full) : now;
  }, values);
  return withoutAbsent(steered);
}

export function arbitraryValues(contract: Contract, options: ValueOptions = {}): fc.Arbitrary<Values> {
  const some = arbitraryFields(contract.fields, options);
  if (contract.rules.length === 0) return some;
  const full = arbitraryFields(contract.fields, { ...options, full: true });
  return fc.tuple(some, full).map(([values, all]) => obeyingRules(contract, values, all));
}
