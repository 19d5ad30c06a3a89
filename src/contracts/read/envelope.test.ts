import { defined } from '../../base/defined.ts';
import { describe, expect, it } from 'vitest';
import { sampleId } from '../../../tests/support/samples.ts';
import type { Contract } from '../contract.ts';
import { fromEnvelope, toEnvelope } from './envelope.ts';
import type { Field, Fields } from '../field.ts';
import type { Result } from '../result.ts';

const about = 'x';

function contractWith(fields: Fields, more: Partial<Contract> = {}): Contract {
  return {
    name: 'test',
    version: 1,
    purpose: 'p',
    wireFormat: 'json',
    fields,
    rules: [],
    actions: [],
    example: {},
    ...more,
  };
}

const status: Field = { type: 'status', is: 'status', about };
const texts: Field = { type: 'list', of: { type: 'text' }, about };
const path: Field = { type: 'path', about };

/** The part of the envelope that one field with this role fills. */
function filled(field: Field, value: unknown, given: string): Partial<Result> {
  const contract = contractWith({ how: status, x: field }, { summary: 's' });
  const {
    contract: _name,
    summary: _summary,
    status: _status,
    ...rest
  } = toEnvelope(contract, { how: given, x: value });
  return rest;
}

describe('slots', () => {
  const metadata = {
    session_id: sampleId,
    agent_type: 'planner',
    delegation_depth: 2,
    delegation_path: ['a', 'b'],
    duration_seconds: 1,
    phase_count: 2,
    estimated_hours: 3,
    findings_count: 4,
  };

  it.each<[Field['is'], unknown, Partial<Result>]>([
    ['artifacts', [{ type: 'plan', path: 'a' }], { artifacts: [{ type: 'plan', path: 'a' }] }],
    ['checks', [{ criterion: 'c', status: 'pass' }], { checks: [{ criterion: 'c', status: 'pass' }] }],
    ['notes', ['n'], { notes: ['n'] }],
    [
      'errors',
      [{ type: 't', message: 'm', recoverable: true }],
      { errors: [{ type: 't', message: 'm', recoverable: true }] },
    ],
    ['next-steps', 'go', { nextSteps: 'go' }],
    ['schema-version', '1.0.0', { metadata: { schemaVersion: '1.0.0' } }],
    ['run-id', 'r', { metadata: { runId: 'r' } }],
    ['task-id', 't', { metadata: { taskId: 't' } }],
    ['worklog-path', 'w', { metadata: { worklogPath: 'w' } }],
    ['files', [{ resource: 'a', action: 'edit' }], { filesTouched: [{ path: 'a', action: 'edit' }] }],
    [
      'metadata',
      metadata,
      {
        metadata: {
          delegationId: sampleId,
          agent: 'planner',
          depth: 2,
          path: ['a', 'b'],
          durationSeconds: 1,
          phaseCount: 2,
          estimatedHours: 3,
          findingsCount: 4,
        },
      },
    ],
  ])('%s is kept only there, and found again', (is, value, expected) => {
    const field: Field = { ...texts, ...defined({ is }) };
    expect(filled(field, value, 'completed')).toEqual({ fields: {}, ...expected });
    const contract = contractWith({ how: status, x: field });
    const draft = toEnvelope(contract, { how: 'completed', x: value });
    const empty = { artifacts: [], filesTouched: [], checks: [], notes: [], errors: [], metadata: {} };
    expect(fromEnvelope(contract, { ...empty, ...draft } as unknown as Result)).toEqual({ how: 'completed', x: value });
  });

  it('none is nothing there, and none again', () => {
    const field: Field = { type: 'text', is: 'next-steps', presence: 'or-none', about };
    expect(filled(field, null, 'completed')).toEqual({ fields: {} });
    expect(fromEnvelope(contractWith({ x: field }), {} as Result)).toEqual({ x: null });
  });
});

describe('feeds', () => {
  it.each<[Field['feeds'], unknown, string, Partial<Result>]>([
    [
      'edited-files',
      ['a', 'b'],
      'completed',
      {
        filesTouched: [
          { path: 'a', action: 'edit' },
          { path: 'b', action: 'edit' },
        ],
      },
    ],
    ['created-files', ['a'], 'completed', { filesTouched: [{ path: 'a', action: 'create' }] }],
    ['plan', 'a', 'completed', { artifacts: [{ type: 'plan', path: 'a' }] }],
    ['report', 'a', 'completed', { artifacts: [{ type: 'report', path: 'a' }] }],
    ['note', 'n', 'completed', { notes: ['n'] }],
    ['notes', ['n', 'm'], 'completed', { notes: ['n', 'm'] }],
    ['next-steps', 'go', 'completed', { nextSteps: 'go' }],
    ['problem', 'p', 'completed', {}],
    ['problem', 'p', 'blocked', { errors: [{ type: 'execution', message: 'p', recoverable: true }] }],
    ['problem', 'p', 'failed', { errors: [{ type: 'execution', message: 'p', recoverable: false }] }],
    [
      'problems',
      ['p', 'q'],
      'partial',
      {
        errors: [
          { type: 'execution', message: 'p', recoverable: true },
          { type: 'execution', message: 'q', recoverable: true },
        ],
      },
    ],
  ])('%s of %j when %s', (feeds, value, given, expected) => {
    const field: Field = { ...path, ...defined({ feeds }) };
    expect(filled(field, value, given)).toEqual({ fields: { x: value }, ...expected });
  });

  it.each([null, []])('nothing from %j', (value) => {
    expect(filled({ ...texts, feeds: 'notes' }, value, 'completed')).toEqual({ fields: { x: value } });
  });
});

describe('the status', () => {
  const contract = contractWith(
    { a: { type: 'flag', about } },
    {
      statusWhen: [
        { when: { a: true }, status: 'blocked' },
        { when: {}, status: 'partial' },
      ],
    },
  );

  it('is that of the first condition that holds', () => {
    expect([toEnvelope(contract, { a: true }).status, toEnvelope(contract, { a: false }).status]).toEqual([
      'blocked',
      'partial',
    ]);
  });

  it('is completed when none does', () => {
    expect(toEnvelope(contractWith({}, { statusWhen: [] }), {}).status).toBe('completed');
  });
});

describe('the summary', () => {
  const fields: Fields = { a: { type: 'text', about }, b: texts, c: { type: 'progress', about } };

  it('is made from the values', () => {
    const contract = contractWith(fields, { summary: '{a}, {b} of them, phase {c}' });
    expect(toEnvelope(contract, { a: 'x', b: ['y', 'z'], c: { current: 1, total: 2 } }).summary).toBe(
      'x, 2 of them, phase 1/2',
    );
    expect(toEnvelope(contract, { a: null, b: [] }).summary).toBe('none, 0 of them, phase none');
  });

  it('takes nothing in a value for a place of its own', () => {
    expect(toEnvelope(contractWith(fields, { summary: '{a}' }), { a: '{b} $& $1' }).summary).toBe('{b} $& $1');
  });

  it('is the status without a template', () => {
    expect(toEnvelope(contractWith(fields, { statusWhen: [] }), {}).summary).toBe('completed');
  });

  it('is never too long, and never ends in half a character', () => {
    const { summary = '' } = toEnvelope(contractWith(fields, { summary: '{a}' }), {
      a: `${'x'.repeat(398)}🎻${'y'.repeat(100)}`,
    });
    expect(summary).toHaveLength(400);
    expect(summary.isWellFormed()).toBe(true);
  });
});
