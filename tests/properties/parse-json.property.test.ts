/** Properties of finding and reading JSON together, and the time hostile text may take. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJson } from '../../src/contracts/wire/find-json.ts';
import type { Json, JsonRepair, ParsedJson } from '../../src/contracts/wire/lenient-json.ts';
import { parseJson } from '../../src/contracts/wire/parse-json.ts';
import { isLong, runs } from './runs.ts';
import { leastTime } from '../support/processor-time.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'ab"\'\\/*{}[],:\n\t é😀'.split('')) }),
);
const key = fc.oneof(text, fc.constantFrom('a', 'b', 'name', '__proto__', 'constructor', 'toString', '0', 'true'));
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((value) => value + 0);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));

type Values = { json: Json; array: Json[]; object: { [key: string]: Json } };
function values(maxDepth: number, maxLength: number): fc.LetrecValue<Values> {
  return fc.letrec<Values>((tie) => ({
    json: fc.oneof({ maxDepth, depthSize: 'small' }, scalar, tie('array'), tie('object')),
    array: fc.array(tie('json'), { maxLength }),
    // fromEntries, because it makes `__proto__` an own property.
    object: fc
      .uniqueArray(fc.tuple(key, tie('json')), { maxLength, selector: ([name]) => name })
      .map((entries) => Object.fromEntries(entries)),
  }));
}

const { json, object } = values(4, 5);
/** Small enough to be cut off at every place. */
const { object: smallObject } = values(2, 3);

const indent = fc.constantFrom(0, 2, '\t');
/** What looks like JSON from afar. */
const jsonish = fc
  .array(
    fc.constantFrom(
      ...'{}[],:"\'\\/*\n -.1eu'.split(''),
      '"a"',
      'a:',
      '"a":',
      '//',
      '/*',
      '*/',
      'true',
      'None',
      '\\u00',
      '1.5',
    ),
  )
  .map((parts) => parts.join(''));

type Slip = Exclude<JsonRepair, 'unterminated' | 'bad-escape'>;
type Printer = { readonly allowed: readonly Slip[]; readonly chance: () => boolean; readonly made: Set<JsonRepair> };

/** Whether to make this slip here; remembers that it was made. */
function slips(printer: Printer, slip: Slip): boolean {
  if (!printer.allowed.includes(slip) || !printer.chance()) return false;
  printer.made.add(slip);
  return true;
}

function printBlank(printer: Printer): string {
  if (!slips(printer, 'comment')) return printer.chance() ? '\n ' : '';
  return printer.chance() ? '// a "quote and a { brace\n' : '/* }" // { */';
}

function printString(printer: Printer, value: string): string {
  const quoted = JSON.stringify(value);
  const isRaw = /\\[nt]/.test(quoted.replaceAll('\\\\', '')) && slips(printer, 'raw-newline-in-string');
  const raw = quoted.replace(/\\(?:n|t|.)/g, (it) => (isRaw ? ({ '\\n': '\n', '\\t': '\t' }[it] ?? it) : it));
  if (!slips(printer, 'single-quotes')) return raw;
  return `'${raw.slice(1, -1).replaceAll("'", "\\'")}'`;
}

function printKey(printer: Printer, name: string): string {
  return /^[a-z_]\w*$/i.test(name) && slips(printer, 'unquoted-key') ? name : printString(printer, name);
}

function printElements(printer: Printer, elements: readonly string[]): string {
  let printed = printBlank(printer);
  for (const [index, element] of elements.entries()) {
    const isLast = index === elements.length - 1;
    const hasComma = isLast ? slips(printer, 'trailing-comma') : !slips(printer, 'missing-comma');
    printed += element + printBlank(printer) + (hasComma ? ',' : isLast ? '' : '\n') + printBlank(printer);
  }
  return printed;
}

function print(printer: Printer, value: Json): string {
  if (typeof value === 'string') return printString(printer, value);
  if (typeof value === 'number') return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${printElements(
      printer,
      value.map((item) => print(printer, item)),
    )}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, item]) =>
        printKey(printer, name) + printBlank(printer) + ':' + printBlank(printer) + print(printer, item),
    );
    return `{${printElements(printer, members)}}`;
  }
  if (!slips(printer, 'python-literal')) return JSON.stringify(value);
  return value === null ? 'None' : value ? 'True' : 'False';
}

const allSlips: readonly Slip[] = [
  'comment',
  'trailing-comma',
  'missing-comma',
  'single-quotes',
  'unquoted-key',
  'raw-newline-in-string',
  'python-literal',
];

function printer(allowed: readonly Slip[]): fc.Arbitrary<Printer> {
  return fc.infiniteStream(fc.boolean()).map((stream) => {
    return { allowed, chance: () => stream.next().value === true, made: new Set<JsonRepair>() };
  });
}

/** Whether `part` is what remains of `whole` when the text ends early. */
function isPartOf(part: Json | undefined, whole: Json | undefined): boolean {
  if (part === undefined || whole === undefined) return false;
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
  if (typeof part === 'number') return typeof whole === 'number';
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null || Array.isArray(part) !== Array.isArray(whole)) return false;
  const rest = new Map(Object.entries(whole));
  return Object.entries(part).every(([name, value]) => isPartOf(value, rest.get(name)));
}

/** Every shorter text that it begins with, from the empty one. */
function beginnings(given: string): string[] {
  return Array.from({ length: given.length }, (_, length) => given.slice(0, length));
}

/** A refusal says where and what; a value prints as JSON. */
function isClean(parsed: ParsedJson, given: string): boolean {
  if (parsed.ok) return strictly(JSON.stringify(parsed.value)) !== undefined;
  return parsed.at >= 0 && parsed.at <= given.length && parsed.expected !== '';
}

function strictly(given: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(given) as Json };
  } catch {
    return undefined;
  }
}

describe('parseJson', () => {
  it('reads what JSON.stringify prints, without repairs', () => {
    fc.assert(
      fc.property(json, indent, (value, space) => {
        const parsed = parseJson(JSON.stringify(value, null, space));
        expect(isDeepStrictEqual(parsed, { ok: true, value, repairs: [], duplicateKeys: [] })).toBe(true);
      }),
      runs,
    );
  });

  it('reads the same value through every mixture of slips and records each kind once', () => {
    fc.assert(
      fc.property(json, fc.subarray([...allSlips]).chain(printer), (value, style) => {
        const parsed = parseJson(print(style, value));
        expect(parsed.ok && isDeepStrictEqual(parsed.value, value)).toBe(true);
        expect(parsed.ok && parsed.repairs.toSorted()).toEqual([...style.made].toSorted());
        expect(parsed.ok && parsed.duplicateKeys).toEqual([]);
      }),
      runs,
    );
  });

  it('names exactly the keys given twice, and the last value counts', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, json), { maxLength: 8 }), fc.boolean(), (entries, isStrict) => {
        const members = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
        const parsed = parseJson(`[{${members.join(',')}}${isStrict ? '' : ','}]`);
        const names = entries.map(([name]) => name);
        const twice = new Set(names.filter((name, index) => names.indexOf(name) < index));
        expect(parsed.ok && isDeepStrictEqual(parsed.value, [Object.fromEntries(entries)])).toBe(true);
        expect(parsed.ok && new Set(parsed.duplicateKeys)).toEqual(twice);
      }),
      runs,
    );
  });

  it('never throws, repairs nothing in valid JSON and reads nothing else without a repair', () => {
    fc.assert(
      fc.property(fc.oneof(text, jsonish), (given) => {
        const parsed = parseJson(given);
        const strict = strictly(given);
        expect(isClean(parsed, given)).toBe(true);
        expect(parsed.ok && parsed.repairs.length === 0).toBe(strict !== undefined);
        // With an escape in a key the engine is no judge (nodejs/node#63785).
        const undecided = strict === undefined || /\\(?:[^"\\]|\\.)*"\s*:/.test(given);
        expect(undecided || (parsed.ok && isDeepStrictEqual(parsed.value, strict.value))).toBe(true);
      }),
      runs,
    );
  });

  it('keeps a part of the value from every beginning of a printed object', () => {
    fc.assert(
      fc.property(smallObject, indent, (value, space) => {
        const misread = beginnings(JSON.stringify(value, null, space))
          .slice(1)
          .find((beginning) => {
            const parsed = parseJson(beginning);
            return !(parsed.ok && parsed.repairs.join() === 'unterminated' && isPartOf(parsed.value, value));
          });
        expect(misread).toBeUndefined();
      }),
      runs,
    );
  });

  it('reads as cut off, or refuses, the beginning of an object with slips', () => {
    fc.assert(
      fc.property(object, printer(allSlips), fc.nat(), (value, style, place) => {
        const printed = print(style, value);
        const beginning = printed.slice(0, place % printed.length);
        const parsed = parseJson(beginning);
        expect(isClean(parsed, beginning)).toBe(true);
        expect(!parsed.ok || parsed.repairs.includes('unterminated')).toBe(true);
      }),
      runs,
    );
  });
});

describe('findJson', () => {
  const prose = fc.oneof(text, jsonish).map((given) => given.replace(/[{}]/g, ''));
  const found = (given: string): string[] =>
    findJson(given).map(({ start, end, complete }) => (complete ? given.slice(start, end) : 'cut off'));

  it('finds exactly the objects printed between prose without braces', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(prose, object, indent), { minLength: 1, maxLength: 3 }), prose, (parts, end) => {
        const printed = parts.map(([before, value, space]) => [before, JSON.stringify(value, null, space)] as const);
        const given = printed.flat().join('') + end;
        let at = 0;
        const spans = printed.map(([before, body]) => {
          const start = at + before.length;
          at = start + body.length;
          return { start, end: at, complete: true };
        });
        expect(findJson(given)).toEqual(spans);
      }),
      runs,
    );
  });

  it('is misled neither by a stray brace and quotes on earlier lines nor by comments inside', () => {
    const slipsItKnows: readonly Slip[] = ['comment', 'trailing-comma', 'missing-comma', 'python-literal'];
    fc.assert(
      fc.property(prose, object, printer(slipsItKnows), prose, (before, value, style, after) => {
        const body = print(style, value);
        expect(found(`${before}{${before.replaceAll('/', '')}\n${body}\n${after}`)).toContain(body);
      }),
      runs,
    );
  });

  it('never throws and returns spans in order that begin and end in braces', () => {
    fc.assert(
      fc.property(fc.oneof(text, jsonish), (given) => {
        const spans = findJson(given);
        let end = 0;
        for (const span of spans) {
          expect(span.start >= end && given[span.start] === '{').toBe(true);
          expect(span.complete ? given[span.end - 1] === '}' : span.end === given.length && spans.length === 1).toBe(
            true,
          );
          end = span.end;
        }
      }),
      runs,
    );
  });
});

describe('hostile text', () => {
  const named = ['{', '{"', '{"a":', '[', '//', '"', '\\'];
  const rows: (readonly [start: string, unit: string, end: string])[] = [
    ...named.map((unit) => ['', unit, ''] as const),
    // The same inside an object, and where a search could be repeated from every place.
    ...named.map((unit) => ['{"a":1,', unit, ''] as const),
    ...['{ ', '{a', '{"\n', '{//\n', '/*'].map((unit) => ['{', unit, '\n.'] as const),
    ...['\\"', '\\u', '{}', '\n'].map((unit) => ['{"', unit, '\n.'] as const),
    ...['1', 'a', ' ', "'"].map((unit) => ['[', unit, ']'] as const),
    ['', '{}', ''],
    ['[', '{},', '{}]'],
  ];

  const work = (given: string) => (): void => {
    findJson(given);
    parseJson(given);
  };

  it.each(rows)('costs little and grows no faster than its size: %j, then many %j, then %j', (start, unit, end) => {
    const size = isLong ? 1024 * 1024 : 256 * 1024;
    const times = unit.startsWith('{}') ? size / 4 : Math.floor(size / unit.length);
    const once = leastTime(work(start + unit.repeat(times) + end), 200);
    expect(once).toBeLessThan(200);
    // Below a few milliseconds the clock and the collector say more than the work.
    const limit = 8 * Math.max(once, 8);
    expect(leastTime(work(start + unit.repeat(4 * times) + end), limit)).toBeLessThan(limit);
  });
});
