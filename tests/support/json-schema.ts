/**
 * The part of JSON Schema 2020-12 that the shipped schemas use. A keyword that is not known here is refused, so that no
 * schema passes because half of it was ignored.
 */
type Schema = Readonly<Record<string, unknown>>;
type Check = (rule: never, value: unknown, schema: Schema) => string[];

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const say = (isFine: boolean, what: string): string[] => (isFine ? [] : [what]);
const at = (place: string, faults: readonly string[]): string[] => faults.map((fault) => `${place}: ${fault}`);
const entriesOf = (value: unknown): [string, unknown][] =>
  typeOf(value) === 'object' ? Object.entries(value as object) : [];
const lengthOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? Array.from(value).length : Array.isArray(value) ? value.length : undefined;

function isType(type: string, value: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

const atLeast = (rule: number, value: unknown): string[] =>
  say((lengthOf(value) ?? rule) >= rule, `shorter than ${rule}`);
const atMost = (rule: number, value: unknown): string[] =>
  say((lengthOf(value) ?? rule) <= rule, `longer than ${rule}`);
const onNumber = (test: (value: number) => boolean, value: unknown, what: string): string[] =>
  say(typeof value !== 'number' || test(value), what);
const note = (): string[] => [];

const checks: Readonly<Record<string, Check>> = {
  $schema: note,
  title: note,
  description: note,
  default: note,
  // Every date-time here carries the pattern that decides it.
  format: note,
  type: (rule: string, value) => say(isType(rule, value), `not of type ${rule}`),
  const: (rule: unknown, value) => say(rule === value, `not ${String(rule)}`),
  enum: (rule: readonly unknown[], value) => say(rule.includes(value), `not one of ${rule.join(', ')}`),
  pattern: (rule: string, value) =>
    say(typeof value !== 'string' || new RegExp(rule, 'u').test(value), `not like ${rule}`),
  minLength: (rule: number, value) => (typeof value === 'string' ? atLeast(rule, value) : []),
  maxLength: (rule: number, value) => (typeof value === 'string' ? atMost(rule, value) : []),
  minItems: (rule: number, value) => (Array.isArray(value) ? atLeast(rule, value) : []),
  maxItems: (rule: number, value) => (Array.isArray(value) ? atMost(rule, value) : []),
  minimum: (rule: number, value) => onNumber((given) => given >= rule, value, `below ${rule}`),
  maximum: (rule: number, value) => onNumber((given) => given <= rule, value, `above ${rule}`),
  exclusiveMinimum: (rule: number, value) => onNumber((given) => given > rule, value, `not above ${rule}`),
  items: (rule: Schema, value) =>
    Array.isArray(value) ? value.flatMap((item, index) => at(String(index), schemaFaults(rule, item))) : [],
  required: (rule: readonly string[], value) => {
    const names = new Set(entriesOf(value).map(([name]) => name));
    return typeOf(value) === 'object'
      ? rule.filter((name) => !names.has(name)).map((name) => `${name} is missing`)
      : [];
  },
  properties: (rule: Readonly<Record<string, Schema>>, value) =>
    entriesOf(value).flatMap(([name, item]) =>
      Object.hasOwn(rule, name) ? at(name, schemaFaults(rule[name] ?? {}, item)) : [],
    ),
  propertyNames: (rule: Schema, value) =>
    entriesOf(value).flatMap(([name]) => at(`the name ${name}`, schemaFaults(rule, name))),
  additionalProperties: (rule: Schema | false, value, schema) => {
    const known = schema['properties'] ?? {};
    const others = entriesOf(value).filter(([name]) => !Object.hasOwn(known, name));
    return others.flatMap(([name, item]) => at(name, rule === false ? ['is not expected'] : schemaFaults(rule, item)));
  },
  anyOf: (rule: readonly Schema[], value) =>
    say(
      rule.some((one) => schemaFaults(one, value).length === 0),
      `none of ${rule.length} alternatives`,
    ),
};

/** What of a value does not fit a schema; nothing when it is valid. */
export function schemaFaults(schema: Schema, value: unknown): string[] {
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    const check = Object.hasOwn(checks, keyword) ? checks[keyword] : undefined;
    if (check === undefined) throw new Error(`the schema uses ${keyword}, which is not checked here`);
    return check(rule as never, value, schema);
  });
}
