/** The demands of each built-in contract: keys, rules, statuses, actions. The tables are the specification. */
import { defined } from '../../src/base/defined.ts';
import { describe, expect, it } from 'vitest';
import type { WireFormat } from '../../src/contracts/wire/raw.ts';
import { read } from '../../src/contracts/read/read.ts';
import { actionFor, builtInContracts } from '../../src/contracts/registry.ts';
import type { Reading, Result } from '../../src/contracts/result.ts';
import { asJson, contractNamed, validReturns, valuesOf, type WireValues, written } from '../support/wire-returns.ts';

function readJson(name: string, changes: WireValues = {}): Reading {
  return read(contractNamed(name), asJson(valuesOf(name, changes)));
}

function resultOf(reading: Reading): Result {
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations));
  return reading.result;
}

function faults(reading: Reading): string[] {
  return reading.ok ? [] : reading.violations.map(({ code, path }) => `${code} ${path}`);
}

interface Keys {
  readonly format: WireFormat;
  readonly required: readonly string[];
  readonly orNone?: readonly string[];
  readonly optional?: readonly string[];
}

const keys: Readonly<Record<string, Keys>> = {
  'worker-report': {
    format: 'report',
    required: [
      'schema_version',
      'run_id',
      'task_id',
      'status',
      'files_touched',
      'acceptance_check',
      'notes_for_orchestrator',
      'worklog_path',
      'summary',
    ],
    optional: ['decisions', 'issues'],
  },
  'structured-return': {
    format: 'json',
    required: ['status', 'summary', 'artifacts', 'metadata'],
    optional: ['errors', 'next_steps'],
  },
  architect: { format: 'line', required: ['status'], orNone: ['path'] },
  'wave-review': { format: 'line', required: ['priority', 'action', 'path'] },
  'task-review': { format: 'line', required: ['priority', 'action', 'path'] },
  'todo-doc-generator': {
    format: 'block',
    required: ['path', 'priority', 'phases', 'complexity'],
    orNone: ['dependencies'],
  },
  'tdd-task-executor': {
    format: 'block',
    required: ['phase', 'phase_complete', 'files_changed', 'tests_added', 'tests_passing', 'next_action'],
    orNone: ['files_created', 'test_failures', 'blockers'],
  },
  'code-reviewer': {
    format: 'block',
    required: ['approved', 'issues_total', 'test_coverage', 'recommendation'],
    orNone: ['critical', 'major', 'minor', 'security'],
  },
  'code-simplifier': {
    format: 'block',
    required: ['simplified', 'files_modified', 'lines_removed', 'complexity_reduction', 'changes_summary'],
  },
  'silent-failure-hunter': {
    format: 'block',
    required: ['silent_failures_found', 'severity', 'recommendations'],
    orNone: ['locations'],
  },
  'review-pr': {
    format: 'block',
    required: ['ready_to_merge', 'test_status', 'files_reviewed', 'approval_confidence', 'final_recommendation'],
    orNone: ['blocking_issues', 'warnings'],
  },
  'type-design-analyzer': {
    format: 'block',
    required: ['types_analyzed', 'quality_score'],
    orNone: ['issues', 'recommendations'],
  },
};

const names = Object.keys(keys);
const pairs = (of: (one: Keys) => readonly string[] | undefined): [string, string][] =>
  Object.entries(keys).flatMap(([name, one]) => (of(one) ?? []).map((key): [string, string] => [name, key]));

describe('the built-in contracts', () => {
  it('are these twelve', () => {
    expect(builtInContracts.map(({ name, wireFormat }) => [name, wireFormat])).toEqual(
      names.map((name) => [name, keys[name]?.format]),
    );
  });

  it.each(names)('%s has these keys and no others', (name) => {
    const { required = [], orNone = [], optional = [] } = keys[name] ?? {};
    expect(Object.keys(contractNamed(name).fields).toSorted()).toEqual(
      [...required, ...orNone, ...optional].toSorted(),
    );
  });

  it.each(names)('some-toolkit:%s is the same contract', (name) => {
    expect(contractNamed(`some-toolkit:${name}`)).toBe(contractNamed(name));
    expect(contractNamed(`a:b:${name}`)).toBe(contractNamed(name));
  });

  it('does not know another name', () => {
    expect(() => contractNamed('some-toolkit:poet')).toThrow(
      expect.objectContaining({ code: 'CONTRACT_UNKNOWN', got: 'some-toolkit:poet' }),
    );
  });
});

describe('keys', () => {
  it.each(names)('%s is complete as it is', (name) => {
    expect(faults(readJson(name))).toEqual([]);
  });

  it.each(pairs(({ required }) => required))('%s needs %s', (name, key) => {
    expect(faults(readJson(name, { [key]: undefined }))).toEqual([`missing ${key}`]);
  });

  it.each(pairs(({ orNone }) => orNone))('%s needs %s, which may be none', (name, key) => {
    // What relates fields is no matter of keys: each of these stays within the rules.
    const related =
      name === 'architect'
        ? { status: 'failed' }
        : name === 'silent-failure-hunter'
          ? { silent_failures_found: 0, severity: 'none' }
          : {};
    const isList = contractNamed(name).fields[key]?.type === 'list';
    expect(faults(readJson(name, { ...related, [key]: undefined }))).toEqual([`missing ${key}`]);
    for (const none of ['none', null, 'n/a', 'None', ...(isList ? [[]] : [])]) {
      expect(resultOf(readJson(name, { ...related, [key]: none })).fields[key]).toEqual(isList ? [] : null);
    }
  });

  it.each(pairs(({ optional }) => optional))('%s has no need of %s', (name, key) => {
    const result = resultOf(readJson(name, { [key]: undefined }));
    expect(result.fields).not.toHaveProperty(key);
    expect(result.deviations.map(({ code }) => code)).toEqual(name === 'worker-report' ? ['wire-format'] : []);
  });

  it.each(pairs(({ required }) => required))('%s does not take nothing for %s', (name, key) => {
    expect(faults(readJson(name, { [key]: '' }))).toEqual([`empty ${key}`]);
  });
});

describe('keys of records', () => {
  const artifact = { type: 'plan', path: 'a.md', summary: 'a plan' };
  const metadata = validReturns['structured-return']?.['metadata'] as WireValues;
  const error = { type: 'x', code: 'E1', message: 'm', recoverable: false, recommendation: 'r' };
  const file = { resource: 'a.ts', action: 'create' };
  const check = { criterion: 'c', status: 'fail', evidence: 'e' };

  const records: readonly (readonly [string, string, WireValues, readonly string[], readonly string[]])[] = [
    ['structured-return', 'artifacts', artifact, ['type', 'path', 'summary'], []],
    ['structured-return', 'errors', error, ['type', 'message', 'recoverable', 'recommendation'], ['code']],
    ['worker-report', 'files_touched', file, ['resource', 'action'], []],
    ['worker-report', 'acceptance_check', check, ['criterion', 'status'], ['evidence']],
  ];

  const without = (record: WireValues, key: string): WireValues =>
    Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

  it.each(records)('%s: an item of %s needs what it needs', (name, key, record, required, optional) => {
    expect(Object.keys(record).toSorted()).toEqual([...required, ...optional].toSorted());
    const partial = name === 'worker-report' ? { status: 'partial' } : {};
    for (const inner of required) {
      expect(faults(readJson(name, { ...partial, [key]: [record, without(record, inner)] }))).toEqual([
        `missing ${key}[1].${inner}`,
      ]);
    }
    for (const inner of optional)
      expect(faults(readJson(name, { ...partial, [key]: [without(record, inner)] }))).toEqual([]);
  });

  it.each(['session_id', 'agent_type', 'delegation_depth', 'delegation_path'])('metadata needs %s', (inner) => {
    expect(faults(readJson('structured-return', { metadata: without(metadata, inner) }))).toEqual([
      `missing metadata.${inner}`,
    ]);
  });

  it('metadata may count what it likes', () => {
    const counts = { duration_seconds: 1.5, phase_count: 2, estimated_hours: 0.5, findings_count: 0 };
    expect(resultOf(readJson('structured-return', { metadata: { ...metadata, ...counts } })).metadata).toEqual({
      delegationId: metadata['session_id'],
      agent: 'planner',
      depth: 1,
      path: ['orchestrator', 'planner'],
      durationSeconds: 1.5,
      phaseCount: 2,
      estimatedHours: 0.5,
      findingsCount: 0,
    });
  });

  it('errors keep their code, and any word as their type', () => {
    expect(resultOf(readJson('structured-return', { errors: [error] })).errors).toEqual([error]);
  });

  it.each(['plan', 'report', 'summary', 'implementation', 'documentation'])('an artifact may be of type %s', (type) => {
    expect(resultOf(readJson('structured-return', { artifacts: [{ ...artifact, type }] })).artifacts).toEqual([
      { ...artifact, type },
    ]);
  });

  it('an artifact is of no other type', () => {
    expect(faults(readJson('structured-return', { artifacts: [{ ...artifact, type: 'poem' }] }))).toEqual([
      'not-a-choice artifacts[0].type',
    ]);
  });
});

type Broken = readonly [contract: string, changes: WireValues, path: string, because: string];

const failing = [{ criterion: 'c', status: 'fail', evidence: 'e' }];

const broken: readonly Broken[] = [
  ['worker-report', { acceptance_check: [] }, 'acceptance_check', 'a completed report checks its acceptance criteria'],
  [
    'worker-report',
    { acceptance_check: failing },
    'acceptance_check',
    'every check of a completed report passes and names its evidence',
  ],
  ['worker-report', { status: 'blocked', issues: [] }, 'issues', 'a blocked report names the blocker under Issues'],
  [
    'worker-report',
    { status: 'failed', issues: undefined },
    'issues',
    'a failed report explains the failure under Issues',
  ],
  [
    'worker-report',
    { status: 'partial', issues: 'none' },
    'issues',
    'a partial report lists under Issues what is left',
  ],
  [
    'structured-return',
    { status: 'failed', errors: undefined },
    'errors',
    'errors are required unless the status is completed',
  ],
  [
    'structured-return',
    { artifacts: [] },
    'artifacts',
    'artifacts may be empty only when the status is failed or blocked',
  ],
  [
    'structured-return',
    { status: 'partial', artifacts: [] },
    'artifacts',
    'artifacts may be empty only when the status is failed or blocked',
  ],
  ['architect', { path: null }, 'path', 'a finished plan names its file'],
  ['architect', { status: 'partial', path: null }, 'path', 'a partial plan names its file'],
  [
    'architect',
    { status: 'blocked', path: null },
    'path',
    'a blocked architect names the file that explains the blocker',
  ],
  ['tdd-task-executor', { tests_passing: true }, 'test_failures', 'when the tests pass, there are no test failures'],
  [
    'code-reviewer',
    { approved: true, recommendation: 'approve' },
    'critical',
    'an approved review has no critical issue',
  ],
  ['code-reviewer', { approved: true, critical: [] }, 'recommendation', 'an approved review recommends approve'],
  [
    'code-reviewer',
    { recommendation: 'approve' },
    'recommendation',
    'a review that is not approved recommends revise or block',
  ],
  ['code-simplifier', { files_modified: [] }, 'files_modified', 'a simplification lists the files it changed'],
  [
    'code-simplifier',
    { simplified: false },
    'complexity_reduction',
    'without a simplification, complexity_reduction is none',
  ],
  ['silent-failure-hunter', { locations: null }, 'locations', 'failures that were found need locations'],
  ['silent-failure-hunter', { severity: 'none' }, 'severity', 'failures that were found need a severity'],
  ['silent-failure-hunter', { silent_failures_found: 0 }, 'severity', 'without failures the severity is none'],
  [
    'review-pr',
    { ready_to_merge: true, test_status: 'all-pass', final_recommendation: 'merge' },
    'blocking_issues',
    'a change that is ready has no blocking issue',
  ],
  [
    'review-pr',
    { ready_to_merge: true, blocking_issues: [], final_recommendation: 'merge' },
    'test_status',
    'a change that is ready has no failing test',
  ],
  [
    'review-pr',
    { ready_to_merge: true, blocking_issues: [], test_status: 'all-pass' },
    'final_recommendation',
    'a change that is ready is recommended for merge',
  ],
  [
    'review-pr',
    { final_recommendation: 'merge' },
    'final_recommendation',
    'a change that is not ready is not recommended for merge',
  ],
];

describe('rules', () => {
  it.each(broken)('%s with %j breaks the rule on %s', (name, changes, path, because) => {
    const reading = readJson(name, changes);
    const found = reading.ok
      ? []
      : reading.violations.map(({ code, path: at, expected }) => ({ code, path: at, expected }));
    expect(found).toEqual([{ code: 'rule-broken', path, expected: because }]);
  });

  it('are all broken once above', () => {
    const declared = builtInContracts.flatMap(({ name, rules }) => rules.map(({ because }) => `${name}: ${because}`));
    expect(broken.map(([name, , , because]) => `${name}: ${because}`).toSorted()).toEqual(declared.toSorted());
  });

  it('a check without evidence proves nothing, whatever its words', () => {
    for (const evidence of [undefined, null, '', 'none', 'n/a']) {
      const check = { criterion: 'c', status: 'pass', ...defined({ evidence }) };
      expect(faults(readJson('worker-report', { acceptance_check: [check] }))).toEqual([
        'rule-broken acceptance_check',
      ]);
      const report = written('report', 'worker-report', valuesOf('worker-report', { acceptance_check: [check] }));
      expect(faults(read(contractNamed('worker-report'), report))).toEqual(['rule-broken acceptance_check']);
    }
  });

  it('say nothing about what could not be read', () => {
    expect(faults(readJson('structured-return', { status: undefined, errors: undefined }))).toEqual(['missing status']);
    expect(faults(readJson('structured-return', { status: 'finished', errors: undefined }))).toEqual([
      'not-a-choice status',
    ]);
    expect(
      faults(readJson('structured-return', { artifacts: [{ type: 'plan', path: '/etc', summary: 's' }] })),
    ).toEqual(['path-outside artifacts[0].path']);
    expect(faults(readJson('code-reviewer', { approved: true, critical: 3 }))).toEqual([
      'wrong-type critical',
      'rule-broken recommendation',
    ]);
  });
});

type Outcome = readonly [contract: string, changes: WireValues, status: Result['status'], action: string];

const tddGreen = { tests_passing: true, test_failures: null, blockers: null };
const approved = { approved: true, critical: null, recommendation: 'approve' };
const ready = { ready_to_merge: true, blocking_issues: null, test_status: 'all-pass', final_recommendation: 'merge' };

const outcomes: readonly Outcome[] = [
  ['worker-report', {}, 'completed', 'proceed'],
  ['worker-report', { status: 'partial' }, 'partial', 'continue'],
  ['worker-report', { status: 'blocked' }, 'blocked', 'halt'],
  ['worker-report', { status: 'failed' }, 'failed', 'record'],
  ['structured-return', {}, 'completed', 'proceed'],
  ['structured-return', { status: 'partial' }, 'partial', 'continue'],
  ['structured-return', { status: 'blocked', artifacts: [] }, 'blocked', 'halt'],
  ['structured-return', { status: 'failed', artifacts: [] }, 'failed', 'record'],
  ['architect', {}, 'completed', 'record'],
  ['architect', { status: 'partial' }, 'partial', 'continue'],
  ['architect', { status: 'failed', path: null }, 'failed', 'halt'],
  ['architect', { status: 'blocked' }, 'blocked', 'halt'],
  ['wave-review', { priority: 'HIGH' }, 'completed', 'fix'],
  ['wave-review', { priority: 'MED' }, 'completed', 'defer'],
  ['wave-review', { priority: 'LOW' }, 'completed', 'proceed'],
  ['task-review', { priority: 'HIGH' }, 'completed', 'fix'],
  ['task-review', { priority: 'MED' }, 'completed', 'defer'],
  ['task-review', { priority: 'LOW' }, 'completed', 'proceed'],
  ['todo-doc-generator', {}, 'completed', 'record'],
  ['tdd-task-executor', {}, 'blocked', 'halt'],
  ['tdd-task-executor', { ...tddGreen, phase_complete: true, blockers: 'x' }, 'blocked', 'halt'],
  ['tdd-task-executor', { ...tddGreen, phase_complete: true }, 'completed', 'review'],
  ['tdd-task-executor', { ...tddGreen, phase_complete: false }, 'partial', 'continue'],
  ['tdd-task-executor', { blockers: null, phase_complete: true }, 'partial', 'continue'],
  ['code-reviewer', {}, 'completed', 'fix'],
  ['code-reviewer', approved, 'completed', 'proceed'],
  ['code-simplifier', {}, 'completed', 'review'],
  ['code-simplifier', { simplified: false, complexity_reduction: 'none', files_modified: [] }, 'completed', 'proceed'],
  ['silent-failure-hunter', { severity: 'critical' }, 'completed', 'fix'],
  ['silent-failure-hunter', { severity: 'high' }, 'completed', 'fix'],
  ['silent-failure-hunter', { severity: 'medium' }, 'completed', 'defer'],
  ['silent-failure-hunter', { severity: 'none', silent_failures_found: 0, locations: null }, 'completed', 'proceed'],
  ['review-pr', {}, 'completed', 'fix'],
  ['review-pr', ready, 'completed', 'commit'],
  ['type-design-analyzer', {}, 'completed', 'defer'],
  ['type-design-analyzer', { issues: null }, 'completed', 'proceed'],
];

describe('status and action', () => {
  it.each(outcomes)('%s with %j is %s, then %s', (name, changes, status, action) => {
    const result = resultOf(readJson(name, changes));
    expect([result.status, actionFor(contractNamed(name), result)]).toEqual([status, action]);
  });

  it('tell what keeps a phase from being complete', () => {
    expect(resultOf(readJson('tdd-task-executor')).errors).toEqual([
      { type: 'execution', message: 'b is empty', recoverable: true },
      { type: 'execution', message: 'the schema is not decided', recoverable: true },
    ]);
    expect(resultOf(readJson('tdd-task-executor', { ...tddGreen, phase_complete: true })).errors).toEqual([]);
  });

  it('tell what a report that is not complete leaves open', () => {
    const open = (status: string, recoverable: boolean): unknown => ({
      errors: [{ type: 'execution', message: 'the docs are old', recoverable }],
      fields: { issues: ['the docs are old'] },
      status,
    });
    expect(resultOf(readJson('worker-report', { status: 'partial' }))).toMatchObject(open('partial', true) as object);
    expect(resultOf(readJson('worker-report', { status: 'failed' }))).toMatchObject(open('failed', false) as object);
    expect(resultOf(readJson('worker-report')).errors).toEqual([]);
  });
});

describe('a return in another wire format', () => {
  const formats = ['report', 'json', 'block'] as const;
  const cases = names.flatMap((name) => formats.map((format) => [name, format] as const));

  it.each(cases)('%s is read from %s anyway', (name, format) => {
    const contract = contractNamed(name);
    const own = contract.wireFormat;
    const expected = resultOf(read(contract, written(own, name, valuesOf(name))));
    const reading = read(contract, written(format, name, valuesOf(name)));
    const deviations = format === own ? [] : [{ code: 'wire-format', path: '', detail: `${format} instead of ${own}` }];
    expect(expected.deviations).toEqual([]);
    expect(reading).toStrictEqual({ ok: true, result: { ...expected, wireFormat: format, deviations } });
  });

  it('a line says little, and that is read', () => {
    const reading = read(contractNamed('structured-return'), 'plan|success|plans/a.md');
    expect(faults(reading)).toEqual(['missing summary', 'missing artifacts', 'missing metadata']);
    expect(!reading.ok && reading.salvaged.result).toMatchObject({
      status: 'completed',
      wireFormat: 'line',
      deviations: [
        { code: 'wire-format', detail: 'line instead of json' },
        { code: 'unknown-field', path: 'path' },
      ],
    });
    const todo = read(contractNamed('todo-doc-generator'), 'plan|success|todo/a.md');
    expect(faults(todo)).toEqual(['missing dependencies', 'missing priority', 'missing phases', 'missing complexity']);
    expect(!todo.ok && todo.salvaged.result).toMatchObject({ wireFormat: 'line', fields: { path: 'todo/a.md' } });
  });

  it('counts only if it names a field: prose is full of braces and pipes', () => {
    const prose = 'Use {"a": 1} or a|b|c.\n\n---\nIn short\n---\n';
    expect(faults(read(contractNamed('code-reviewer'), prose))).toEqual(['no-return ']);
  });
});

/** The forms as prompts show them, with nothing filled in: agents copy them. */
const templates: Readonly<Record<string, WireValues>> = {
  'todo-doc-generator': {
    path: 'todo/[slug].md',
    dependencies: '[one, two] or "none"',
    priority: '[1-5]',
    phases: '[count]',
    complexity: '[low/medium/high]',
  },
  'tdd-task-executor': {
    phase: '[number]/[total]',
    phase_complete: '[true/false]',
    files_changed: '[a.ts, b.ts]',
    files_created: '[c.ts] or "none"',
    tests_added: '[count]',
    tests_passing: '[true/false]',
    test_failures: '[names] or "none"',
    blockers: '[description] or "none"',
    next_action: '[what comes next]',
  },
  'code-reviewer': {
    approved: '[true/false]',
    issues_total: '[count]',
    critical: '[list] or "none"',
    major: '[list] or "none"',
    minor: '[list] or "none"',
    security: '[concerns] or "none"',
    test_coverage: '[adequate/needs-improvement/insufficient]',
    recommendation: '[approve/revise/block]',
  },
  'code-simplifier': {
    simplified: '[true/false]',
    files_modified: '[files]',
    lines_removed: '[count]',
    complexity_reduction: '[none/low/medium/high]',
    changes_summary: '[what changed]',
  },
  'silent-failure-hunter': {
    silent_failures_found: '[count]',
    locations: '[file:line] or "none"',
    severity: '[none/low/medium/high/critical]',
    recommendations: '[list]',
  },
  'review-pr': {
    ready_to_merge: '[true/false]',
    blocking_issues: '[list] or "none"',
    warnings: '[list] or "none"',
    test_status: '[all-pass/some-fail/not-run]',
    files_reviewed: '[count]',
    approval_confidence: '[low/medium/high]',
    final_recommendation: '[merge/revise/reject]',
  },
  'type-design-analyzer': {
    types_analyzed: '[count]',
    quality_score: '[1-10]',
    issues: '[list] or "none"',
    recommendations: '[list] or "none"',
  },
};

describe('a form that no one filled in', () => {
  const expected: Readonly<Record<string, readonly string[]>> = {
    'todo-doc-generator': ['wrong-type priority', 'wrong-type phases', 'not-a-choice complexity'],
    'tdd-task-executor': [
      'wrong-type phase',
      'wrong-type phase_complete',
      'wrong-type tests_added',
      'wrong-type tests_passing',
    ],
    'code-reviewer': [
      'wrong-type approved',
      'wrong-type issues_total',
      'not-a-choice test_coverage',
      'not-a-choice recommendation',
    ],
    'code-simplifier': ['wrong-type simplified', 'wrong-type lines_removed', 'not-a-choice complexity_reduction'],
    'silent-failure-hunter': ['wrong-type silent_failures_found', 'not-a-choice severity'],
    'review-pr': [
      'wrong-type ready_to_merge',
      'not-a-choice test_status',
      'wrong-type files_reviewed',
      'not-a-choice approval_confidence',
      'not-a-choice final_recommendation',
    ],
    'type-design-analyzer': ['wrong-type types_analyzed', 'wrong-type quality_score'],
  };

  it.each(Object.keys(templates))('is not a return of %s', (name) => {
    expect(faults(read(contractNamed(name), written('block', name, templates[name] ?? {})))).toEqual(expected[name]);
  });
});
