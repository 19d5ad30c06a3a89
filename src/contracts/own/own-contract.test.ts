import { describe, expect, it } from 'vitest';
import { ownContract } from '../../../tests/support/own-contract.ts';
import { asBlock, asJson, type WireValues } from '../../../tests/support/wire-returns.ts';
import type { Contract } from '../contract.ts';
import { readOwnContract } from './own-contract.ts';
import { read } from '../read/read.ts';
import { actionFor, contractsByName, findContract } from '../registry.ts';

const good = ownContract();

function load(text: string): Contract {
  return readOwnContract(text, '.divisi/contracts/a.yaml');
}

function lineWith(words: string, text: string): number {
  return text.split('\n').findIndex((line) => line.includes(words)) + 1;
}

describe('a contract file', () => {
  it('becomes the same data a built-in contract is', () => {
    expect(load(good)).toStrictEqual({
      name: 'migration-writer',
      version: 1,
      purpose: 'write one database migration',
      wireFormat: 'block',
      fields: {
        path: { type: 'path', about: 'the migration', presence: 'required', feeds: 'plan' },
        reversible: { type: 'flag', about: 'whether it can be undone', presence: 'required' },
        tables: { type: 'list', of: { type: 'text' }, about: 'tables it touches', presence: 'or-none' },
        risk: { type: 'choice', of: ['low', 'high'], about: 'how dangerous it is', presence: 'required' },
      },
      statusWhen: [{ when: { reversible: false }, status: 'partial' }],
      rules: [{ when: { risk: 'low' }, then: { reversible: true }, because: 'a migration of low risk can be undone' }],
      actions: [{ when: { risk: 'high' }, action: 'halt' }],
      example: { path: 'db/004.sql', reversible: true, tables: ['orders'], risk: 'low' },
    });
  });

  it('may use every type and option', () => {
    const contract = load(`name: everything
version: 3
purpose: use all there is
format: report
role: tester
summary: 'with {words}'
fields:
  how: { type: status, is: status }
  short: { type: text, is: summary, section: Summary }
  hints: { type: list, is: notes }
  words: { type: text, max_length: 5, required: false }
  ratio: { type: number, min: 0, max: 1 }
  count: { type: number, integer: true }
  level: { type: choice, of: [low, high], aliases: { l: low } }
  phase: { type: progress }
  files: { type: list, of: path, feeds: edited-files }
  levels: { type: list, of: { type: choice, of: [a, b] } }
  items:
    type: list
    of: { type: record, fields: { name: { type: text }, size: { type: number, required: or-none } } }
example:
  how: done
  short: It is done.
  hints: [none yet]
  words: 1.10
  ratio: 0.5
  count: 3
  level: low
  phase: 1/2
  files: [a.ts]
  levels: [a, b]
  items: [{ name: x, size: none }]
`);
    expect(contract).toMatchObject({ version: 3, role: 'tester', summary: 'with {words}' });
    expect(contract.fields).toMatchObject({
      short: { type: 'text', is: 'summary', section: 'Summary', maxLength: 500, warnAbove: 400 },
      words: { type: 'text', maxLength: 5, presence: 'optional', about: 'words' },
      level: { aliases: { l: 'low' } },
      levels: { type: 'list', of: { type: 'choice', of: ['a', 'b'] } },
      items: {
        of: {
          type: 'record',
          fields: { name: { type: 'text', presence: 'required' }, size: { type: 'number', presence: 'or-none' } },
        },
      },
    });
    expect(contract.example).toEqual({
      how: 'completed',
      short: 'It is done.',
      hints: ['none yet'],
      words: '1.10',
      ratio: 0.5,
      count: 3,
      level: 'low',
      phase: { current: 1, total: 2 },
      files: ['a.ts'],
      levels: ['a', 'b'],
      items: [{ name: 'x', size: null }],
    });
  });
});

type Bad = readonly [what: string, text: string, line: number, reason: string];

/** The good file with one thing changed, and the line of that thing. */
function bad(what: string, from: string | RegExp, to: string, reason: string, at = to): Bad {
  const text = good.replace(from, to);
  if (text === good) throw new Error(`nothing changed: ${what}`);
  return [what, text, lineWith(at, text), reason];
}

const files: readonly Bad[] = [
  ['nothing', '', 1, 'expected object'],
  ['a list', '- a', 1, 'expected object'],
  bad('an open bracket', 'format: block', 'format: [block', 'deficient indentation', 'fields:'),
  bad('a tab', '  path:', '\tpath:', 'tab characters must not be used in indentation', '\tpath:'),
  bad('a key that is not known', 'status:\n', 'statuses:\n', 'statuses: unknown key', 'statuses:'),
  bad(
    'a key of a field that is not known',
    'about: the migration',
    'abuot: the migration',
    'fields.path.abuot: unknown key',
  ),
  bad('no purpose', /purpose.*\n/, '', 'purpose: Invalid input', 'name'),
  bad(
    'a name with blanks',
    'name: migration-writer',
    'name: Migration Writer',
    'name: expected a lower-case name with dashes',
  ),
  bad('a format that is none', 'format: block', 'format: xml', 'format: Invalid option'),
  bad('a type that is none', 'type: flag', 'type: flg', 'fields.reversible.type: Invalid option'),
  bad('a field name in capitals', '  risk:', '  Risk:', 'fields.Risk: expected a lower-case field name'),
  bad(
    'a field every object has',
    '  risk:',
    '  constructor:',
    'fields.constructor: expected a lower-case field name',
    '  constructor:',
  ),
  bad('a field every object inherits', '  risk:', '  __proto__:', 'fields.__proto__: unknown key', '__proto__'),
  bad(
    'a key every object inherits',
    'actions:',
    '__proto__: { a: b }\nactions:',
    '__proto__: unknown key',
    '__proto__',
  ),
  bad('no fields', /fields:\n(?: {2}.*\n)+/, 'fields: {}\n', 'fields: a contract needs at least one field', 'fields:'),
  bad(
    'a choice without words',
    'of: [low, high], ',
    '',
    'fields.risk.of: a choice needs its words under of',
    'how dangerous',
  ),
  bad('a choice of numbers', 'of: [low, high]', 'of: [1, 2]', 'fields.risk.of: a type, a list of words'),
  bad('a list of nothing known', 'of: text', 'of: texts', 'fields.tables.of: expected the item type'),
  bad('a record without fields', 'type: flag', 'type: record', 'fields.reversible: a record needs its fields'),
  bad(
    'an option of another type',
    'type: flag',
    'type: flag, min: 1',
    'fields.reversible.min: min does not apply to a field of type flag',
  ),
  bad(
    'required: sometimes',
    'required: or-none',
    'required: sometimes',
    'fields.tables.required: true, false or or-none',
  ),
  bad(
    'a feed of the wrong type',
    'feeds: plan',
    'feeds: problems',
    'fields.path.feeds: feeds: problems takes a field of type list of text, not path',
  ),
  bad(
    'a slot of the wrong type',
    'type: flag',
    'type: flag, is: status',
    'fields.reversible.is: is: status takes a field of type status',
  ),
  bad(
    'a status that may be missing',
    'type: flag,',
    'type: status, is: status, required: false,',
    'the status is required in every return',
  ),
  bad(
    'a slot within a record',
    'type: flag',
    'type: record, fields: { a: { type: text, is: summary } }',
    'fields.reversible.fields.a.is: is does not apply to a nested field',
  ),
  bad(
    'a feed within a list',
    'of: text',
    'of: { type: path, feeds: plan }',
    'fields.tables.of.feeds: feeds does not apply to a nested field',
  ),
  bad('a line without parts', 'format: block', 'format: line', 'format: a line contract needs its parts under line'),
  bad(
    'a line with a part that is no field',
    'format: block',
    'format: line\nline: [risk, when]',
    'line: unknown field when',
    'line: [',
  ),
  bad(
    'a summary of a field that is none',
    'format: block',
    "format: block\nsummary: 'at {pth}'",
    'summary: unknown field pth',
    'summary:',
  ),
  bad(
    'a rule about a field that is none',
    'then: { reversible',
    'then: { revrsible',
    'rules[0].then: unknown field revrsible',
  ),
  bad(
    'a status from a field that is none',
    'when: { reversible',
    'when: { revrsible',
    'status[0].when: unknown field revrsible',
  ),
  bad(
    'an action for a field that is none',
    'when: { risk: high',
    'when: { rsik: high',
    'actions[0].when: unknown field rsik',
  ),
  bad(
    'a flag compared with a word',
    '{ reversible: false }',
    '{ reversible: no }',
    'status[0].when: reversible: true or false, never no',
  ),
  bad(
    'a choice compared with no choice',
    'when: { risk: high }',
    'when: { risk: hihg }',
    'actions[0].when: risk: one of low, high, never hihg',
  ),
  bad(
    'a list compared with a value',
    'when: { risk: high }',
    'when: { tables: orders }',
    'actions[0].when: tables: a list of texts, never orders',
  ),
  bad(
    'a test that is none',
    'when: { risk: high }',
    'when: { risk: { is: high } }',
    'actions[0].when.risk: a value, or one of',
  ),
  bad('an action that is none', 'action: halt', 'action: explode', 'actions[0].action: Invalid option'),
  bad(
    'a rule without a reason',
    ', because: a migration of low risk can be undone',
    '',
    'rules[0].because: Invalid input',
    'rules:',
  ),
  bad('no example', /example:.*\n/, '', 'example: Invalid input', 'name'),
  bad(
    'an example with a wrong value',
    ', risk: low }',
    ', risk: medium }',
    'example.risk: the example breaks the contract: expected one of low, high, got medium',
  ),
  bad(
    'an example that lacks a field',
    ', risk: low }',
    ' }',
    'example.risk: the example breaks the contract',
    'example:',
  ),
  bad(
    'an example with a field too many',
    ', risk: low }',
    ', risk: low, more: 1 }',
    'example.more: not part of the contract',
  ),
  bad(
    'an example that breaks a rule',
    'reversible: true, tables',
    'reversible: false, tables',
    'example.reversible: the example breaks the contract: a migration of low risk can be undone',
  ),
  bad('a key given twice', 'actions:', 'format: json\nactions:', 'format is given twice', 'format: json'),
  bad(
    'a field given twice',
    '  risk:',
    '  path: { type: path }\n  risk:',
    'fields.path is given twice',
    'path: { type: path }',
  ),
  bad('an alias', '[orders]', '*orders', 'aliases are not allowed', 'example:'),
  bad('an anchor', '[orders]', '&a [orders]', 'anchors are not allowed', 'example:'),
  bad('a tag', '[orders]', '!!seq [orders]', 'tags are not allowed', 'example:'),
];

describe('a bad file', () => {
  it.each(files)('%s', (_what, text, line, reason) => {
    expect(() => load(text)).toThrow(
      expect.objectContaining({
        code: 'CONTRACT_FILE_INVALID',
        message: expect.stringContaining(`.divisi/contracts/a.yaml:${line}: `) as unknown,
        ids: { file: '.divisi/contracts/a.yaml', line },
      }),
    );
    expect(() => load(text)).toThrow(reason);
  });

  it('has no example that is too long for a line', () => {
    const text = good
      .replace('format: block', 'format: line\nline: [path, reversible, tables, risk]')
      .replace(/tables: \[[^\]]*\]/, `tables: [${'d'.repeat(100)}]`);
    expect(() => load(text)).toThrow(
      'a.yaml:15: example: the example breaks the contract: expected a line of less than 100 characters',
    );
  });
});

describe('a return under an own contract', () => {
  const contract = load(good);
  const values: WireValues = { path: 'db/1.sql', reversible: true, tables: ['a', 'b'], risk: 'low' };
  const readBlock = (changes: WireValues): ReturnType<typeof read> =>
    read(contract, asBlock({ ...values, ...changes }));

  it('is read like any other', () => {
    expect(readBlock({})).toStrictEqual({
      ok: true,
      result: {
        contract: 'migration-writer',
        status: 'completed',
        summary: 'completed',
        artifacts: [{ type: 'plan', path: 'db/1.sql' }],
        filesTouched: [],
        checks: [],
        notes: [],
        errors: [],
        metadata: {},
        fields: { path: 'db/1.sql', reversible: true, tables: ['a', 'b'], risk: 'low' },
        wireFormat: 'block',
        deviations: [],
        degraded: [],
      },
    });
  });

  it('has the status, the rules and the actions of the file', () => {
    const partial = readBlock({ reversible: false, risk: 'high', tables: null });
    expect(partial).toMatchObject({ ok: true, result: { status: 'partial', fields: { tables: [] } } });
    expect(partial.ok && actionFor(contract, partial.result)).toBe('halt');
    const completed = readBlock({});
    expect(completed.ok && actionFor(contract, completed.result)).toBe('record');
    expect(readBlock({ reversible: false })).toMatchObject({
      ok: false,
      violations: [
        { code: 'rule-broken', path: 'reversible', expected: 'a migration of low risk can be undone', got: 'false' },
      ],
    });
  });

  it('is read from another wire format', () => {
    expect(read(contract, asJson(values))).toMatchObject({
      ok: true,
      result: { wireFormat: 'json', deviations: [{ code: 'wire-format' }] },
    });
  });

  it('may take the place of a built-in one', () => {
    const own = load(ownContract({ name: 'code-reviewer' }));
    expect(findContract(contractsByName([own]), 'some-toolkit:code-reviewer')).toBe(own);
  });
});

describe('what two fields cannot share', () => {
  const contract = (fields: string, format = 'block'): string =>
    `name: mine\npurpose: p\nformat: ${format}\n${format === 'line' ? 'line: [role, a]\n' : ''}fields:\n${fields}\nexample: { a: x, b: y }\n`;
  const text = (name: string, options: string): string => `  ${name}: { type: text, ${options} }`;

  it.each([
    [
      'a part of the envelope',
      contract(`${text('a', 'is: summary')}\n${text('b', 'is: summary')}`),
      6,
      'already claimed by a: summary',
    ],
    [
      'a section',
      contract(`${text('a', 'section: Why')}\n${text('b', 'section: why')}`),
      6,
      'already claimed by a: why',
    ],
    [
      'notes that are given and added to',
      contract(`  a: { type: list, is: notes }\n${text('b', 'feeds: note')}`),
      6,
      'another field is already notes',
    ],
    [
      'the role of a line',
      contract(`${text('role', 'about: r')}\n${text('a', 'about: a')}`, 'line'),
      6,
      'role is reserved for the first word',
    ],
  ])('%s', (_what, file, line, reason) => {
    expect(() => readOwnContract(file, 'mine.yaml')).toThrow(new RegExp(`^mine\\.yaml:${line}: .*${reason}`));
  });
});
