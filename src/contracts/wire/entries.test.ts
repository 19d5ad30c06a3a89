import { describe, expect, it } from 'vitest';
import { Findings } from '../finding.ts';
import { fieldName, readEntries } from './entries.ts';
import { Plain, type Raw } from './raw.ts';

const plain = (text: string): Raw => new Plain(text);
const known = new Set(['path', 'phase_complete', 'critical', 'files']);

function entries(text: string): { values: [string, Raw][]; deviations: string[] } {
  const findings = new Findings();
  const values = [...readEntries(text, known, findings)];
  return { values, deviations: findings.deviations.map(({ code, path }) => `${code} ${path}`) };
}

type Row = readonly [what: string, text: string, values: readonly (readonly [string, Raw])[], ...deviations: string[]];

const keys: readonly Row[] = [
  ['nothing', '', []],
  ['a value', 'path: a', [['path', plain('a')]]],
  ['no value', 'path:', [['path', plain('')]]],
  ['no blank after the colon of a field', 'path:a/b', [['path', plain('a/b')]]],
  ['a blank before the colon', 'path : a', [['path', plain('a')]]],
  ['a tab', 'path:\ta\t', [['path', plain('a')]]],
  [
    'an indented block',
    '    path: a\n    critical: b',
    [
      ['path', plain('a')],
      ['critical', plain('b')],
    ],
  ],
  [
    'a block indented with tabs',
    '\tpath: a\n\tcritical: b',
    [
      ['path', plain('a')],
      ['critical', plain('b')],
    ],
  ],
  ['colons in a value', 'path: a: b:c', [['path', plain('a: b:c')]]],
  ['quotes', 'path: "a: b"', [['path', 'a: b']]],
  ['a comment sign', 'path: a #1', [['path', plain('a #1')]]],
  ['another spelling', 'Phase Complete: yes', [['phase_complete', plain('yes')]], 'key-spelling phase_complete'],
  ['camel case', 'phaseComplete: yes', [['phase_complete', plain('yes')]], 'key-spelling phase_complete'],
  [
    'bold keys',
    '**path**: a\n**critical:** b',
    [
      ['path', plain('a')],
      ['critical', plain('b')],
    ],
    'key-spelling path',
    'key-spelling critical',
  ],
  ['code keys', '`path`: a', [['path', plain('a')]], 'key-spelling path'],
  [
    'bulleted keys',
    '- path: a\n- critical: b',
    [
      ['path', plain('a')],
      ['critical', plain('b')],
    ],
    'key-spelling path',
    'key-spelling critical',
  ],
  [
    'an unknown identifier',
    'path: a\nother_key: b',
    [
      ['path', plain('a')],
      ['other_key', plain('b')],
    ],
  ],
  [
    'keys every object inherits',
    '__proto__: a\nconstructor: b',
    [
      ['__proto__', plain('a')],
      ['constructor', plain('b')],
    ],
  ],
  ['a key twice', 'path: a\npath: b', [['path', plain('b')]], 'duplicate-key path'],
  ['text before the first key', 'Here it is\npath: a', [['path', plain('a')]]],
];

const values: readonly Row[] = [
  [
    'lines that go on',
    'path: one\ntwo: more, or not\n  three',
    [
      ['path', plain('one')],
      ['two', plain('more, or not\nthree')],
    ],
  ],
  ['a line that looks like prose', 'path: one\nNote: two', [['path', plain('one\nNote: two')]]],
  ['a line that looks like an address', 'path: one\nhttp://a.b', [['path', plain('one\nhttp://a.b')]]],
  [
    'a literal block',
    'path: |\n  one\n    two\n\n  three\ncritical: x',
    [
      ['path', 'one\n  two\n\nthree'],
      ['critical', plain('x')],
    ],
  ],
  ['a value below its key', 'path:\n  one\n  two', [['path', plain('one\ntwo')]]],
  ['a bracket over lines', 'files: [a,\n  b,\n  c]', [['files', plain('[a, b, c]')]]],
];

const lists: readonly Row[] = [
  ['indented', 'critical:\n  - a\n  - b', [['critical', [plain('a'), plain('b')]]]],
  [
    'not indented',
    'critical:\n- a\n- b\npath: c',
    [
      ['critical', [plain('a'), plain('b')]],
      ['path', plain('c')],
    ],
  ],
  ['of stars', 'critical:\n* a\n* b', [['critical', [plain('a'), plain('b')]]]],
  ['of numbers', 'critical:\n1. a\n2) b', [['critical', [plain('a'), plain('b')]]]],
  ['with comment signs', 'critical:\n- see #12 first\n- b', [['critical', [plain('see #12 first'), plain('b')]]]],
  ['with quotes', 'critical:\n- "a, b"\n- "a" and b', [['critical', ['a, b', plain('"a" and b')]]]],
  ['with lines that go on', 'critical:\n  - a\n    b\n\n  - c', [['critical', [plain('a b'), plain('c')]]]],
  ['with lists', 'critical:\n- [a, b]', [['critical', [plain('[a, b]')]]]],
  [
    'with colons',
    'critical:\n- email: not checked\n- b',
    [['critical', [new Map([['email', plain('not checked')]]), plain('b')]]],
  ],
  [
    'of records',
    'files:\n- path: a\n  action: edit\n- path: b\n  action: create',
    [
      [
        'files',
        [
          new Map([
            ['path', plain('a')],
            ['action', plain('edit')],
          ]),
          new Map([
            ['path', plain('b')],
            ['action', plain('create')],
          ]),
        ],
      ],
    ],
  ],
  [
    'a record',
    'files:\n  a: 1\n  b: 2',
    [
      [
        'files',
        new Map([
          ['a', plain('1')],
          ['b', plain('2')],
        ]),
      ],
    ],
  ],
  ['what is no YAML stays text', 'critical:\n- a: b: c\n- d', [['critical', [plain('a: b: c'), plain('d')]]]],
  ['aliases are text', 'critical:\n- *a\n- &b c', [['critical', [plain('*a'), plain('&b c')]]]],
];

describe.each([
  ['keys', keys],
  ['values', values],
  ['lists and records', lists],
])('readEntries: %s', (_, rows) => {
  it.each(rows.map(([what, text, ...expected]) => ({ what, text, expected })))(
    '$what',
    ({ text, expected: [expected, ...deviations] }) => {
      expect(entries(text)).toStrictEqual({ values: expected, deviations });
    },
  );
});

describe('fieldName', () => {
  it.each([
    'phase_complete',
    'Phase Complete',
    'phase-complete',
    'PHASE_COMPLETE',
    'phaseComplete',
    ' phase.complete ',
  ])('%j', (written) => {
    expect(fieldName(written)).toBe('phase_complete');
  });
});
