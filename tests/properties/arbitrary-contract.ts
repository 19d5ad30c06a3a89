/**
 * Own contracts: any combination of field types, presences, sections and parts of the envelope that can be distinguished.
 *
 * Left out is only what contradicts itself: a field that may be none and offers `none` as a choice, and two fields for one
 * part of the envelope.
 */
import * as fc from 'fast-check';
import type { Contract } from '../../src/contracts/contract.ts';
import { type Field, type Fields, type FieldType, limits } from '../../src/contracts/field.ts';
import { saysNone, type WireFormat } from '../../src/contracts/wire/raw.ts';

const names = [
  'a',
  'b2',
  'long_name',
  'key',
  'none',
  'true',
  'output',
  'end',
  'report',
  'type',
  'items',
  'state',
  'x_y_z',
  'n',
  'n_',
];
const choices = [
  'low',
  'HIGH',
  'needs-work',
  'two words',
  'none',
  'N/A',
  'true',
  '3',
  '-',
  'a, b',
  'k: v',
  '[x]',
  '"q"',
  "it's",
  '#1',
  'x|y',
];

const arbitraryChoice = fc
  .uniqueArray(fc.constantFrom(...choices), { minLength: 1, maxLength: 4 })
  .map((of): FieldType => ({ type: 'choice', of }));

const arbitraryNumberType = fc.constantFrom<FieldType>(
  { type: 'number' },
  { type: 'number', integer: true },
  { type: 'number', min: -5, max: 5 },
  { type: 'number', integer: true, min: 1, max: 10 },
  { type: 'number', min: 0 },
);

const arbitraryScalar: fc.Arbitrary<FieldType> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<FieldType>({ type: 'text' }) },
  fc.constantFrom<FieldType>(
    { type: 'path' },
    { type: 'flag' },
    { type: 'progress' },
    { type: 'status' },
    { type: 'id' },
  ),
  arbitraryNumberType,
  arbitraryChoice,
);

function arbitraryType(depth: number): fc.Arbitrary<FieldType> {
  if (depth === 0) return arbitraryScalar;
  const inner = arbitraryType(depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: arbitraryScalar },
    { weight: 2, arbitrary: inner.map((of): FieldType => ({ type: 'list', of })) },
    { weight: 1, arbitrary: arbitraryFieldsOf(inner, 3).map((fields): FieldType => ({ type: 'record', fields })) },
  );
}

function offersNone(type: FieldType): boolean {
  return type.type === 'choice' && type.of.some((option) => saysNone(option));
}

function arbitraryField(type: fc.Arbitrary<FieldType>): fc.Arbitrary<Field> {
  return fc.tuple(type, fc.constantFrom('required', 'or-none', 'optional')).map(([given, presence]): Field => {
    const contradicts = presence === 'or-none' && offersNone(given);
    return { ...given, about: 'anything', presence: contradicts ? 'required' : presence };
  });
}

function arbitraryFieldsOf(type: fc.Arbitrary<FieldType>, maxLength: number): fc.Arbitrary<Fields> {
  return fc
    .tuple(
      fc.shuffledSubarray(names, { minLength: 1, maxLength }),
      fc.array(arbitraryField(type), { minLength: maxLength, maxLength }),
    )
    .map(([chosen, fields]) => Object.fromEntries(chosen.map((name, at) => [name, fields[at] as Field])));
}

/** One field for each part of the envelope an own contract can fill, and for each it can feed. */
const envelopeFields: Fields = {
  status: { type: 'status', is: 'status', about: 'how it ended' },
  summary: {
    type: 'text',
    is: 'summary',
    maxLength: limits.summaryMax,
    warnAbove: limits.summaryGood,
    about: 'what happened',
  },
  remarks: { type: 'list', of: { type: 'text' }, is: 'notes', presence: 'optional', about: 'remarks' },
  next_steps: { type: 'text', is: 'next-steps', presence: 'or-none', about: 'what is next' },
  edited: { type: 'list', of: { type: 'path' }, feeds: 'edited-files', about: 'edited files' },
  created: { type: 'list', of: { type: 'path' }, feeds: 'created-files', presence: 'or-none', about: 'new files' },
  plan: { type: 'path', feeds: 'plan', presence: 'or-none', about: 'the plan' },
  problem: { type: 'text', feeds: 'problem', presence: 'optional', about: 'a problem' },
  problems: { type: 'list', of: { type: 'text' }, feeds: 'problems', presence: 'or-none', about: 'problems' },
};

const arbitraryEnvelopeFields = fc
  .subarray(Object.keys(envelopeFields), { maxLength: 3 })
  .map((chosen): Fields => Object.fromEntries(chosen.map((name) => [name, envelopeFields[name] as Field])));

/** A line has a part for every field, so that one left out is written as none. */
function asParts(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, field]): [string, Field] => [
    name,
    offersNone(field) ? { ...field, presence: 'required' } : field,
  ]);
  return Object.fromEntries(entries);
}

/** Fields whose bit is set stand in the body, under a heading that is no one's name. */
function withSections(fields: Fields, bits: number): Fields {
  const entries = Object.entries(fields).map(([name, field], at): [string, Field] => [
    name,
    ((bits >> at) & 1) === 1 ? { ...field, section: `About ${name}${at === 0 ? ':' : ''}` } : field,
  ]);
  return Object.fromEntries(entries);
}

function contractOf(wireFormat: WireFormat, fields: Fields): Contract {
  const hasStatus = Object.values(fields).some(({ is }) => is === 'status');
  const line = Object.keys(fields);
  return {
    name: 'own',
    version: 1,
    purpose: 'anything',
    wireFormat,
    fields,
    // One word alone is not a line.
    ...(wireFormat === 'line' ? { line: line.length === 1 ? ['role', ...line] : line, role: 'own' } : {}),
    ...(hasStatus ? {} : { statusWhen: [] }),
    rules: [],
    actions: [],
    example: {},
  };
}

export function arbitraryContract(wireFormat: WireFormat): fc.Arbitrary<Contract> {
  const small = wireFormat === 'line';
  const own = small ? arbitraryFieldsOf(arbitraryType(1), 2) : arbitraryFieldsOf(arbitraryType(2), 4);
  return fc.tuple(own, arbitraryEnvelopeFields, fc.nat(255)).map(([some, envelope, bits]) => {
    const fields = small ? asParts(some) : { ...some, ...envelope };
    return contractOf(wireFormat, wireFormat === 'report' ? withSections(fields, bits) : fields);
  });
}
