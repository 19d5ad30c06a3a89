import { describe, expect, it } from 'vitest';
import { sampleId } from '../../../tests/support/samples.ts';
import {
  asBlock,
  asJson,
  asReport,
  contractNamed,
  valuesOf,
  type WireValues,
} from '../../../tests/support/wire-returns.ts';
import { workerReport } from '../built-in/worker-report.ts';
import type { Contract } from '../contract.ts';
import { limits } from '../field.ts';
import { read } from './read.ts';
import type { Reading, Result } from '../result.ts';
import { resultSchema } from '../result.ts';

const todo = contractNamed('todo-doc-generator');
const tdd = contractNamed('tdd-task-executor');
const reviewer = contractNamed('code-reviewer');
const structured = contractNamed('structured-return');
const worker = contractNamed('worker-report');

function resultOf(reading: Reading): Result {
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations));
  return reading.result;
}

function salvageOf(reading: Reading): Extract<Reading, { ok: false }> {
  if (reading.ok) throw new Error('it was accepted');
  return reading;
}

const faults = (reading: Reading): string[] =>
  reading.ok ? [] : reading.violations.map(({ code, path }) => `${code} ${path}`);
const remarks = (reading: Reading): string[] =>
  ((reading.ok ? reading.result.deviations : reading.salvaged.result.deviations) ?? []).map(
    ({ code, path }) => `${code} ${path}`,
  );

describe('any text', () => {
  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t\n'],
    ['prose', 'It looks good to me.'],
    ['a byte order mark', '\uFEFF'],
    ['control characters', '\u0001\u001B[31m\0'],
    ['half a character', '\uD800'],
    ['open brackets', '{[("'.repeat(1000)],
  ])('that is not a return gives one violation: %s', (_what, text) => {
    for (const contract of [todo, structured, worker, contractNamed('architect')]) {
      const reading = salvageOf(read(contract, text));
      expect(reading.violations).toHaveLength(1);
      expect(['no-return', 'json-invalid']).toContain(reading.violations[0]?.code);
    }
  });

  it('is kept, both ends of it', () => {
    const text = `first ${'x'.repeat(10_000)} last`;
    const { salvaged } = salvageOf(read(todo, text));
    expect(salvaged).toEqual({ result: {}, head: text.slice(0, limits.excerpt), tail: text.slice(-limits.excerpt) });
    expect(salvageOf(read(todo, 'short')).salvaged).toEqual({ result: {}, head: 'short', tail: '' });
  });

  it('above 8 MiB is refused by size, and both ends are kept', () => {
    const valid = asBlock(valuesOf('todo-doc-generator'));
    const fits = 'x'.repeat(limits.input - valid.length - 1);
    expect(limits.input).toBe(8 * 1024 * 1024);
    expect(faults(read(todo, `${fits}\n${valid}`))).toEqual([]);
    expect(read(todo, `head ${fits}\n${valid}`)).toEqual({
      ok: false,
      violations: [
        { code: 'too-large', path: '', expected: `at most ${limits.input} bytes`, got: `${limits.input + 5} bytes` },
      ],
      salvaged: {
        result: {},
        head: `head ${fits}`.slice(0, limits.excerpt),
        tail: `${fits}\n${valid}`.slice(-limits.excerpt),
      },
    });
  });

  it('is measured in bytes', () => {
    expect(faults(read(todo, '€'.repeat(limits.input / 2)))).toEqual(['too-large ']);
  });

  it('is never changed by reading it', () => {
    const text = asJson(valuesOf('structured-return'));
    expect(read(structured, text)).toStrictEqual(read(structured, text));
  });
});

describe('characters', () => {
  const text = asBlock(valuesOf('tdd-task-executor'));
  const plain = read(tdd, text);

  it.each([
    ['CRLF', text.replaceAll('\n', '\r\n')],
    ['CR', text.replaceAll('\n', '\r')],
    ['a byte order mark', `\uFEFF${text}`],
    ['tabs', text.replaceAll(': ', ':\t').replaceAll('\n', '\t\n')],
    ['blank lines', text.replaceAll('\n', '\n\n')],
  ])('%s make no difference', (_what, written) => {
    expect(plain.ok).toBe(true);
    expect(read(tdd, written)).toStrictEqual(plain);
  });

  it.each([
    ['NUL', 'decide\0it'],
    ['half a character', 'decide\uD83Dit'],
    ['the other half', 'decide\uDE00it'],
  ])('%s is replaced, and that is recorded', (_what, next_action) => {
    for (const written of [asBlock, asJson, asReport]) {
      const reading = read(tdd, written(valuesOf('tdd-task-executor', { next_action })));
      expect(resultOf(reading).nextSteps).toBe('decide\uFFFDit');
      expect(remarks(reading).join()).toContain('characters-replaced');
    }
  });

  it('a path with NUL or half a character is not a path', () => {
    for (const path of ['a\0.md', 'a\uD800.md']) {
      for (const written of [asBlock, asJson, asReport]) {
        expect(faults(read(todo, written(valuesOf('todo-doc-generator', { path }))))).toEqual(['path-outside path']);
      }
    }
  });
});

describe('words that YAML would take for something else', () => {
  it.each(['no', 'yes', '1.10', '0x1F', '2024-01-01', '1e3', '12:30', '~x'])('%s stays text', (word) => {
    const report = asReport(valuesOf('worker-report', { run_id: 'RUN' })).replace('"RUN"', word);
    expect(report).toContain(`run_id: ${word}\n`);
    expect(resultOf(read(worker, report)).metadata.runId).toBe(word);
  });
});

describe('keys every object inherits', () => {
  const values = valuesOf('todo-doc-generator');

  it.each(['__proto__', 'constructor'])('%s pollutes nothing and is not lost', (key) => {
    const texts = [
      asBlock(values).replace('---END---', `${key}: {"polluted": true}\n---END---`),
      asReport(values).replace(/---\n$/, `${key}: {polluted: true}\n---\n`),
      asJson(values).replace(/\n}$/, `,\n"${key}": {"polluted": true}}`),
    ];
    for (const text of texts) {
      const reading = read(todo, text);
      expect(resultOf(reading).fields).toEqual({
        path: 'todo/a.md',
        dependencies: ['auth'],
        priority: 2,
        phases: 3,
        complexity: 'low',
      });
      expect(remarks(reading)).toContain(`unknown-field ${key}`);
      expect(Object.getPrototypeOf(resultOf(reading).fields)).toBe(Object.prototype);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each(['__proto__', 'constructor'])('%s within a record, too', (key) => {
    const text = asJson(valuesOf('structured-return')).replace(
      '"session_id"',
      `"${key}": {"polluted": true}, "session_id"`,
    );
    const reading = read(structured, text);
    expect(resultOf(reading).metadata.delegationId).toBe(sampleId);
    expect(remarks(reading)).toEqual([`unknown-field metadata.${key}`]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('YAML that is more than data', () => {
  it.each(['&a x', '*a', '!!str x', '!tag x'])('%s is refused in a report, and that is the one fault', (value) => {
    const text = asReport(valuesOf('worker-report', { run_id: 'RUN' })).replace('"RUN"', value);
    expect(faults(read(worker, text))).toEqual(['yaml-refused ']);
  });

  it('is text in a block, which is not YAML', () => {
    const text = asBlock(valuesOf('tdd-task-executor', { next_action: '*a and &b' }));
    expect(resultOf(read(tdd, text)).nextSteps).toBe('*a and &b');
  });
});

describe('the delegation', () => {
  const text = asJson(valuesOf('structured-return'));

  it('is the one that was asked for', () => {
    expect(faults(read(structured, text, { delegationId: sampleId }))).toEqual([]);
    expect(faults(read(structured, text))).toEqual([]);
  });

  it('or it is not', () => {
    const other = 'sess_1735460684_a1b2c3';
    expect(salvageOf(read(structured, text, { delegationId: other })).violations).toEqual([
      { code: 'delegation-mismatch', path: 'metadata.session_id', expected: other, got: sampleId },
    ]);
  });

  it('does not matter where a contract has none', () => {
    expect(faults(read(todo, asBlock(valuesOf('todo-doc-generator')), { delegationId: sampleId }))).toEqual([]);
  });

  it('may stand at the top instead of in the metadata, which is recorded', () => {
    const { session_id, ...metadata } = valuesOf('structured-return')['metadata'] as WireValues;
    const reading = read(structured, asJson(valuesOf('structured-return', { session_id, metadata })), {
      delegationId: sampleId,
    });
    expect(resultOf(reading).metadata.delegationId).toBe(sampleId);
    expect(remarks(reading)).toEqual(['misplaced-field metadata.session_id']);
    expect(
      faults(
        read(structured, asJson(valuesOf('structured-return', { session_id, metadata })), {
          delegationId: 'sess_1735460684_a1b2c3',
        }),
      ),
    ).toEqual(['delegation-mismatch metadata.session_id']);
  });
});

describe('the summary', () => {
  it.each([
    [400, [], []],
    [401, [], ['summary-long summary']],
    [500, [], ['summary-long summary']],
    [501, ['too-long summary'], []],
  ])('of %i characters', (length, violations, deviations) => {
    const summary = 'x'.repeat(length);
    const reading = read(structured, asJson(valuesOf('structured-return', { summary })));
    expect([faults(reading), remarks(reading)]).toEqual([violations, deviations]);
    const report = read(
      worker,
      asReport(valuesOf('worker-report', { summary: undefined })) + `\n## Summary\n\n${summary}\n`,
    );
    const long = length > 500 ? [[], ['summary-long summary']] : [violations, deviations];
    expect([faults(report), remarks(report)]).toEqual(long);
  });

  it.each([
    [`It works. ${'More. '.repeat(200)}`, 'It works.'],
    [`Is version 1.2 done? ${'Yes! '.repeat(200)}`, 'Is version 1.2 done?'],
    [`No stop here\n\n${'More. '.repeat(200)}`, 'No stop here'],
    ['word '.repeat(200), `${'word '.repeat(80).slice(0, 399)}…`],
    [`The key AKIAIOSFODNN7EXAMPLE is in it. ${'More. '.repeat(200)}`, 'The key [redacted:aws] is in it.'],
  ])('of a long section is its first sentence', (text, summary) => {
    const front = asReport(valuesOf('worker-report', { summary: undefined }));
    expect(resultOf(read(worker, `${front}\n## Summary\n\n${text}\n`))).toMatchObject({ summary });
  });

  it.each(['', ' ', '\n'])('is not %j', (summary) => {
    expect(faults(read(structured, asJson(valuesOf('structured-return', { summary }))))).toEqual(['empty summary']);
  });

  it('of a contract that has none is made, and fits', () => {
    const changes_summary = 'y'.repeat(1_000);
    const { summary } = resultOf(
      read(contractNamed('code-simplifier'), asBlock(valuesOf('code-simplifier', { changes_summary }))),
    );
    expect(summary).toBe(`${'y'.repeat(399)}…`);
  });
});

describe('a report without a summary', () => {
  const report = asReport(valuesOf('worker-report', { summary: undefined }));

  it('has the text before the first heading', () => {
    const reading = read(worker, `${report}\nIt works.\n\n## Decisions\n\n- a\n`);
    expect(resultOf(reading).summary).toBe('It works.');
    expect(remarks(reading)).toEqual(['misplaced-field summary']);
  });

  it('or none', () => {
    expect(faults(read(worker, report))).toEqual(['missing summary']);
  });
});

describe('paths', () => {
  it.each([
    '/etc/passwd',
    '../a.md',
    'a/../../b.md',
    'C:\\a.md',
    'c:/a.md',
    '~/a.md',
    '\\\\host\\a',
    'a\\..\\..\\b',
    'file:///etc/passwd',
  ])('%s is not inside', (path) => {
    for (const written of [asBlock, asJson, asReport]) {
      expect(faults(read(todo, written(valuesOf('todo-doc-generator', { path }))))).toEqual(['path-outside path']);
    }
    expect(faults(read(contractNamed('architect'), `plan|success|${path}`))).toEqual(['path-outside path']);
    expect(faults(read(worker, `Task done. Report: ${path}`))).toEqual(['path-outside path', 'report-not-read ']);
    expect(faults(read(worker, asReport(valuesOf('worker-report', { worklog_path: path }))))).toEqual([
      'path-outside worklog_path',
    ]);
    expect(faults(read(tdd, asBlock(valuesOf('tdd-task-executor', { files_changed: ['a.ts', path] }))))).toEqual([
      'path-outside files_changed[1]',
    ]);
  });

  it('are brought to one form', () => {
    expect(resultOf(read(todo, asBlock(valuesOf('todo-doc-generator', { path: './todo//a.md' })))).artifacts).toEqual([
      { type: 'plan', path: 'todo/a.md' },
    ]);
  });
});

const secrets = [
  `sk-ant-api03-${'aB3dE5gH7j'.repeat(6)}`,
  `ghp_${'aB3dE5gH7jK9mN'.repeat(3).slice(0, 36)}`,
  'AKIAIOSFODNN7EXAMPLE',
  `Bearer ${'aB3dE5gH7jK9'.repeat(3)}`,
  '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----',
  'password=hunter2hunter2',
];

/** Whatever of a secret would still be worth something. */
const core = (secret: string): string => secret.slice(12, 24);

describe.each(secrets)('a secret: %j', (secret) => {
  function expectGone(reading: Reading): void {
    expect(JSON.stringify(reading)).not.toContain(core(secret));
    expect(JSON.stringify(reading)).toContain('[redacted:');
    expect(reading.ok ? reading.result.degraded : reading.salvaged.result.degraded).toEqual(['secret-redacted']);
  }

  it.each<[string, Contract, WireValues]>([
    ['in the summary', structured, valuesOf('structured-return', { summary: `It is ${secret} now` })],
    ['in next steps', structured, valuesOf('structured-return', { next_steps: `Use ${secret}` })],
    [
      'in an artifact',
      structured,
      valuesOf('structured-return', { artifacts: [{ type: 'plan', path: 'a', summary: secret }] }),
    ],
    [
      'in an error',
      structured,
      valuesOf('structured-return', {
        errors: [{ type: 'x', message: secret, recoverable: true, recommendation: 'y' }],
      }),
    ],
    ['in a note', worker, valuesOf('worker-report', { notes_for_orchestrator: [`see ${secret}`] })],
    [
      'in evidence',
      worker,
      valuesOf('worker-report', { acceptance_check: [{ criterion: 'c', status: 'pass', evidence: secret }] }),
    ],
    ['in a list', reviewer, valuesOf('code-reviewer', { critical: [`logs ${secret}`] })],
    [
      'in what becomes the summary',
      contractNamed('code-simplifier'),
      valuesOf('code-simplifier', { changes_summary: `removed ${secret}` }),
    ],
  ])('%s is taken out, and the result says so', (_what, contract, values) => {
    expectGone(read(contract, asJson(values)));
    expect(read(contract, asJson(values)).ok).toBe(true);
  });

  it.each<[string, Contract, string]>([
    ['a value of the wrong type', todo, asJson(valuesOf('todo-doc-generator', { priority: secret }))],
    ['a choice that is none', todo, asJson(valuesOf('todo-doc-generator', { complexity: secret }))],
    ['a path outside', todo, asJson(valuesOf('todo-doc-generator', { path: `/tmp/${secret}` }))],
    [
      'a text that is too long',
      structured,
      asJson(valuesOf('structured-return', { summary: `${'x '.repeat(300)} ${secret}` })),
    ],
    ['prose', todo, `I used ${secret} for it.`],
    ['prose, at the end', todo, `${'word '.repeat(2_000)} ${secret}`],
    [
      'prose, across the end of the head',
      todo,
      `${'x'.repeat(limits.excerpt - 21)} ${secret} ${'word '.repeat(2_000)}`,
    ],
    [
      'prose, across the beginning of the tail',
      todo,
      `${'word '.repeat(10_000)} ${secret} ${'y'.repeat(limits.excerpt - 30)}`,
    ],
  ])('in %s goes no further, and the salvage says so', (_what, contract, text) => {
    const reading = read(contract, text);
    expect(reading.ok).toBe(false);
    expectGone(reading);
  });

  it('in a text above 8 MiB goes no further', () => {
    expectGone(read(todo, `${secret} ${'word '.repeat(2_000_000)} ${secret}`));
  });
});

describe('a secret as a key or a path', () => {
  const secret = secrets[0] ?? '';

  it('is taken out of what is remarked', () => {
    for (const text of [
      asJson({ ...valuesOf('todo-doc-generator'), [secret]: 1 }),
      asJson({ ...valuesOf('todo-doc-generator') }).replace('{', `{"${secret}":1,"${secret}":2,`),
    ]) {
      const reading = read(todo, text);
      expect(JSON.stringify(reading)).not.toContain(core(secret));
      expect(resultOf(reading).degraded).toEqual(['secret-redacted']);
    }
  });

  it('is taken out of a path', () => {
    const { artifacts, degraded, summary } = resultOf(
      read(todo, asBlock(valuesOf('todo-doc-generator', { path: `docs/${secret}/a.md` }))),
    );
    expect(artifacts).toEqual([{ type: 'plan', path: 'docs/[redacted:anthropic]/a.md' }]);
    expect(summary).not.toContain(core(secret));
    expect(degraded).toEqual(['secret-redacted']);
  });
});

describe('findings', () => {
  it('are bounded in number and size', () => {
    const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`${'k'.repeat(500)}${at}`, 1]));
    const reading = read(structured, asJson({ ...valuesOf('structured-return'), ...keys }));
    expect(resultOf(reading).deviations).toHaveLength(limits.findings);
    expect(JSON.stringify(reading).length).toBeLessThan(20_000);
    const paths = Array.from({ length: 900 }, () => `/${'p'.repeat(5_000)}`);
    const refused = read(tdd, asJson(valuesOf('tdd-task-executor', { files_changed: paths })));
    expect(salvageOf(refused).violations).toHaveLength(limits.findings);
    expect(JSON.stringify(salvageOf(refused).violations).length).toBeLessThan(20_000);
  });

  it('of a return refused as a whole are one', () => {
    expect(faults(read(structured, '{"status" = 1}'))).toEqual(['json-invalid ']);
    expect(faults(read(worker, `---\nstatus: done\nnotes: ${'x'.repeat(limits.frontmatter)}\n---\n`))).toEqual([
      'frontmatter-too-large ',
    ]);
  });
});

describe('what could be read is salvaged', () => {
  it('from fields without their form', () => {
    const text = `Here is my answer.\n\n${asBlock(valuesOf('tdd-task-executor', { phase: 'two of three' }))
      .split('\n')
      .slice(1, -1)
      .join('\n')}`;
    const reading = salvageOf(read(tdd, text));
    expect(faults(reading)).toEqual(['no-return ']);
    expect(reading.salvaged.result).toMatchObject({
      status: 'blocked',
      fields: { tests_added: 2, blockers: 'the schema is not decided' },
    });
    expect(reading.salvaged.result.fields).not.toHaveProperty('phase');
  });

  it('without its secrets', () => {
    const [secret = ''] = secrets;
    const { salvaged } = salvageOf(
      read(tdd, `${'word '.repeat(9_000)}\nnext_action: use ${secret}\nblockers: x\n${'word '.repeat(9_000)}`),
    );
    expect(salvaged.result).toMatchObject({ nextSteps: 'use [redacted:anthropic]', degraded: ['secret-redacted'] });
  });

  it('from a block that never ends', () => {
    const text = asBlock(valuesOf('tdd-task-executor')).replace('\nnext_action: decide the schema\n---END---', '');
    const reading = salvageOf(read(tdd, text));
    expect(faults(reading)).toEqual(['block-unterminated ', 'missing next_action']);
    expect(reading.salvaged.result).toMatchObject({
      status: 'blocked',
      fields: { phase: { current: 1, total: 2 }, tests_added: 2 },
    });
  });

  it('from JSON that was cut off', () => {
    const text = asJson(valuesOf('structured-return'));
    const reading = salvageOf(read(structured, text.slice(0, text.indexOf('"metadata"'))));
    expect(faults(reading)).toEqual(['json-invalid ', 'missing metadata']);
    expect(reading.violations[0]?.got).toBe('the end of the text');
    expect(reading.salvaged.result).toMatchObject({
      status: 'completed',
      summary: 'The plan is written.',
      artifacts: [{ type: 'plan', path: 'plans/a.md', summary: 'three phases' }],
    });
  });

  it('from a return with one bad value', () => {
    const reading = salvageOf(read(reviewer, asBlock(valuesOf('code-reviewer', { test_coverage: 'good' }))));
    expect(reading.violations).toEqual([
      {
        code: 'not-a-choice',
        path: 'test_coverage',
        expected: 'one of adequate, needs-improvement, insufficient',
        got: 'good',
      },
    ]);
    expect(reading.salvaged.result.fields).toMatchObject({
      approved: false,
      critical: ['money is lost'],
      recommendation: 'block',
    });
    expect(reading.salvaged.result.fields).not.toHaveProperty('test_coverage');
  });
});

describe('the wire format', () => {
  it('is the one that says the most', () => {
    const report = asReport(valuesOf('structured-return'));
    expect(resultOf(read(structured, report)).wireFormat).toBe('report');
    const quoting = `${asReport(valuesOf('worker-report'))}\n## Decisions\n\n- the log had {"status": "failed"}\n\n## Issues\n\nTask failed. Report: old.md\n`;
    expect(resultOf(read(worker, quoting))).toMatchObject({ wireFormat: 'report', status: 'completed' });
  });

  it("is the contract's own where both say as much", () => {
    const [own, foreign] = [
      asBlock(valuesOf('todo-doc-generator', { phases: 1 })),
      asJson(valuesOf('todo-doc-generator', { phases: 2 })),
    ];
    for (const text of [`${own}\n${foreign}`, `${foreign}\n${own}`]) {
      expect(resultOf(read(todo, text))).toMatchObject({ wireFormat: 'block', fields: { phases: 1 } });
    }
    const [less, asLittle] = [asBlock({ path: 'a.md' }), asJson({ path: 'b.md' })];
    expect(salvageOf(read(todo, `${less}\n${asLittle}`)).salvaged.result).toMatchObject({
      wireFormat: 'block',
      fields: { path: 'a.md' },
    });
  });
});

describe('a contract without required fields', () => {
  const optional: Contract = {
    ...todo,
    fields: { note: { type: 'text', about: 'x', presence: 'optional' } },
    statusWhen: [],
    summary: 's',
  };

  it('is still read from whatever names one of them', () => {
    const text = '---OUTPUT---\nnothing here\n---END---\n{"other": 1}\n---\nnote: found\n---\n';
    expect(resultOf(read(optional, text))).toMatchObject({ wireFormat: 'report', fields: { note: 'found' } });
  });
});

describe('a result', () => {
  it.each(['worker-report', 'structured-return', 'tdd-task-executor', 'code-reviewer'])(
    'of %s is a result by its schema',
    (name) => {
      const result = resultOf(read(contractNamed(name), asJson(valuesOf(name))));
      expect(resultSchema.parse(result)).toEqual(result);
    },
  );
});

describe('a text that is not a return', () => {
  it('does not show the second half of a secret in the violation', () => {
    const body = 'MIIEpAIBAAKCAQEA'.repeat(200);
    const key = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`;
    const reading = read(workerReport, `${'x '.repeat(3_000)}${key}`);
    expect(JSON.stringify(reading)).not.toContain('MIIE');
    expect(reading.ok || reading.salvaged.result.degraded).toEqual(['secret-redacted']);
  });
});
