import { describe, expect, it } from 'vitest';
import { Findings } from '../finding.ts';
import { findJsonReturn } from './json.ts';
import type { Raw } from './raw.ts';

const known = new Set(['status', 'summary']);

function find(text: string): unknown {
  const findings = new Findings();
  const found = findJsonReturn(text, known, findings);
  const code = ({ code, path }: { code: string; path: string }): string => (path === '' ? code : `${code} ${path}`);
  return {
    values: found && [...found.values],
    violations: findings.violations.map(code),
    deviations: findings.deviations.map(code),
  };
}

type Row = readonly [what: string, text: string, values: readonly (readonly [string, Raw])[], ...deviations: string[]];

const rows: readonly Row[] = [
  ['alone', '{"status":"failed"}', [['status', 'failed']]],
  ['between blanks', '\n {"status":"failed"}\n', [['status', 'failed']]],
  ['in a fence', '```json\n{"status":"failed"}\n```', [['status', 'failed']], 'fence-around'],
  ['in a fence of tildes', '~~~\n{"status":"failed"}\n~~~\n', [['status', 'failed']], 'fence-around'],
  ['in prose', 'I return {"status":"failed"} as asked.', [['status', 'failed']], 'text-around'],
  ['in a fence in prose', 'Here:\n```json\n{"status":"failed"}\n```', [['status', 'failed']], 'text-around'],
  ['in a list', '[{"status":"failed"}]', [['status', 'failed']], 'text-around'],
  ['the last that names a field', '{"status":"a"} {"status":"b"} {"other":1}', [['status', 'b']], 'text-around'],
  [
    'the one that names the most fields',
    '{"status":"a","summary":"b"} as in {"status":"c"}',
    [
      ['status', 'a'],
      ['summary', 'b'],
    ],
    'text-around',
  ],
  ['the last one, when none names a field', '{"a":1} {"b":2}', [['b', 2]], 'text-around'],
  ['after braces in prose', 'use {x} or {}\n{"status":"failed"}', [['status', 'failed']], 'text-around'],
  ['a trailing comma', '{"status":"failed",}', [['status', 'failed']], 'json-repaired'],
  ['comments', '{/* a */"status":"failed" // b\n}', [['status', 'failed']], 'json-repaired'],
  ['single quotes and bare keys', "{status:'failed'}", [['status', 'failed']], 'json-repaired'],
  ['a key twice', '{"status":"a","status":"b"}', [['status', 'b']], 'duplicate-key status'],
  ['a key twice below', '{"status":{"a":1,"a":2}}', [['status', { a: 2 } as unknown as Raw]], 'duplicate-key a'],
];

describe('findJsonReturn', () => {
  it.each(rows.map(([what, text, ...expected]) => ({ what, text, expected })))(
    '$what',
    ({ text, expected: [values, ...deviations] }) => {
      expect(find(text)).toEqual({ values, violations: [], deviations });
    },
  );

  it.each([
    ['no braces', 'status: failed'],
    ['braces that hold no JSON', 'function f() { return 1; }'],
    ['an array', '[1, 2]'],
  ])('finds nothing: %s', (_what, text) => {
    expect(find(text)).toEqual({ values: undefined, violations: [], deviations: [] });
  });

  it.each([
    [
      'cut off',
      '{"status":"failed","summary":"It w',
      [
        ['status', 'failed'],
        ['summary', 'It w'],
      ],
      [],
    ],
    ['cut off in prose', 'Here: {"status":"failed","summ', [['status', 'failed']], ['text-around']],
    [
      'cut off after objects within it',
      '{"status":"a","summary":"b","list":[{"summary":"c"}],"more',
      [
        ['status', 'a'],
        ['summary', 'b'],
        ['list', [{ summary: 'c' }]],
      ],
      [],
    ],
    [
      'cut off after braces in prose',
      'I use {x}: {"status":"a","list":[{"b":1}',
      [
        ['status', 'a'],
        ['list', [{ b: 1 }]],
      ],
      ['text-around'],
    ],
    ['meant, but beyond repair', '{"status" = "failed"}', [], []],
    ['nothing but a brace', '{', [], []],
  ])('says that it is not valid: %s', (_what, text, values, deviations) => {
    expect(find(text)).toEqual({ values, violations: ['json-invalid'], deviations });
  });

  it('keeps keys that every object inherits, as keys', () => {
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"status":"a"}';
    expect(find(text)).toMatchObject({
      values: [
        ['__proto__', { polluted: 1 }],
        ['constructor', expect.anything()],
        ['status', 'a'],
      ],
    });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
