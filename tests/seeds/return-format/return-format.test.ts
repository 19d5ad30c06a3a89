/** The structured return: fields, limits and rules, the files it names, and how it is asked for again. */
import { describe, expect, it } from 'vitest';
import { read } from '../../../src/contracts/read/read.ts';
import { promptSuffix, repairMessage } from '../../../src/contracts/write/prompt.ts';
import type { Reading, Result } from '../../../src/contracts/result.ts';
import { mostRepairs } from '../../../src/core/state/state.ts';
import { refused } from '../../../src/reading/outcome.ts';
import { readOnDisk } from '../../../src/reading/read-on-disk.ts';
import { commandBrief } from '../../../src/views/command/command-brief.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { seed } from '../../support/vectors.ts';
import { contractNamed } from '../../support/wire-returns.ts';

type Json = Readonly<Record<string, unknown>>;

const folder = temporaryFolders();
const contract = contractNamed('structured-return');
const json = (file: string): Json => JSON.parse(seed(`return-format/${file}`)) as Json;
const completed = json('completed-plan.json');
const failed = json('failed-research.json');
const partial = json('partial-implementation.json');
const session = 'sess_1735460684_a1b2c3';

const readAs = (given: Json, changes: Json = {}): Reading =>
  read(contract, JSON.stringify({ ...given, ...changes }), {});

function faults(reading: Reading): string[] {
  return reading.ok ? [] : reading.violations.map(({ code, path }) => `${code} ${path}`);
}

function resultOf(reading: Reading): Result {
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations));
  return reading.result;
}

function remarks(reading: Reading): string[] {
  return resultOf(reading).deviations.map(({ code, path }) => `${code} ${path}`);
}

describe('status (required)', () => {
  it.each([
    ['completed', completed],
    ['partial', partial],
    ['failed', failed],
    ['blocked', failed],
  ])('takes %s', (status, given) => {
    expect(resultOf(readAs(given, { status })).status).toBe(status);
  });

  // The words of the other documents are read; the deviation says so.
  it.each([
    ['done', 'completed'],
    ['success', 'completed'],
    ['timeout', 'partial'],
  ])('reads %s as %s', (word, status) => {
    const reading = readAs(status === 'partial' ? partial : completed, { status: word });
    expect([resultOf(reading).status, remarks(reading)]).toEqual([status, ['status-alias status']]);
  });

  it('refuses any other word', () => {
    expect(faults(readAs(completed, { status: 'finished' }))).toEqual(['not-a-choice status']);
  });
});

describe('summary (required)', () => {
  // The document has fewer than 100 tokens, about 400 characters; another one has 500.
  it.each([
    [400, [], []],
    [401, [], ['summary-long summary']],
    [500, [], ['summary-long summary']],
    [501, ['too-long summary'], []],
  ])('of %i characters', (length, violations, deviations) => {
    const reading = readAs(completed, { summary: 'x'.repeat(length) });
    expect(faults(reading)).toEqual(violations);
    expect(reading.ok ? remarks(reading) : []).toEqual(deviations);
  });
});

describe('artifacts (required)', () => {
  it.each(['plan', 'report', 'summary', 'implementation', 'documentation'])('takes the type %s', (type) => {
    const artifacts = [{ type, path: 'relative/path/to/artifact.md', summary: 'Brief description' }];
    expect(resultOf(readAs(completed, { artifacts })).artifacts).toEqual(artifacts);
  });

  it.each([
    ['completed', completed, ['rule-broken artifacts']],
    ['partial', partial, ['rule-broken artifacts']],
    ['failed', failed, []],
    ['blocked', failed, []],
  ])('may be empty or not when %s', (status, given, expected) => {
    expect(faults(readAs(given, { status, artifacts: [] }))).toEqual(expected);
  });

  it.each(['/etc/passwd', '../outside.md', '~/plan.md'])('refuses the path %s', (path) => {
    const artifacts = [{ type: 'plan', path, summary: 's' }];
    expect(faults(readAs(completed, { artifacts }))).toEqual(['path-outside artifacts[0].path']);
  });
});

describe('metadata (required)', () => {
  const metadata = completed['metadata'] as Json;

  it.each(['session_id', 'agent_type', 'delegation_depth', 'delegation_path'])('requires %s', (name) => {
    const reading = readAs(completed, { metadata: { ...metadata, [name]: undefined } });
    expect(faults(reading)).toEqual([`missing metadata.${name}`]);
  });

  it.each([
    ['duration_seconds', 245, { durationSeconds: 245 }],
    ['phase_count', 3, { phaseCount: 3 }],
    ['estimated_hours', 8, { estimatedHours: 8 }],
    ['findings_count', 5, { findingsCount: 5 }],
  ])('takes %s, and does without it', (name, value, expected) => {
    const given = { ...metadata, [name]: value };
    expect(resultOf(readAs(completed, { metadata: given })).metadata).toMatchObject(expected);
    expect(faults(readAs(completed, { metadata: { ...metadata, [name]: undefined } }))).toEqual([]);
  });

  it('reads a session id at the top, and records it once', () => {
    const { session_id, ...rest } = metadata;
    const reading = readAs(completed, { session_id, metadata: rest });
    expect(resultOf(reading).metadata.delegationId).toBe(session);
    expect(remarks(reading)).toEqual(['misplaced-field metadata.session_id']);
  });
});

describe('errors (optional)', () => {
  it.each([
    ['partial', partial],
    ['failed', failed],
    ['blocked', failed],
  ])('are required when %s', (status, given) => {
    expect(faults(readAs(given, { status, errors: undefined }))).toEqual(['rule-broken errors']);
    expect(faults(readAs(given, { status, errors: [] }))).toEqual(['rule-broken errors']);
  });

  it.each(['type', 'message', 'recoverable', 'recommendation'])('have %s', (name) => {
    const [first] = failed['errors'] as Json[];
    expect(faults(readAs(failed, { errors: [{ ...first, [name]: undefined }] }))).toEqual([
      `missing errors[0].${name}`,
    ]);
  });

  it.each(['validation', 'execution', 'timeout', 'permission', 'anything-else'])('may be of type %s', (type) => {
    const [first] = failed['errors'] as Json[];
    expect(resultOf(readAs(failed, { errors: [{ ...first, type }] })).errors[0]?.type).toBe(type);
  });
});

describe('next_steps (optional)', () => {
  it('is kept, and may be left out', () => {
    expect(resultOf(readAs(completed)).nextSteps).toBe('Run /implement 244 to execute the plan');
    expect(faults(readAs(completed, { next_steps: undefined }))).toEqual([]);
  });
});

describe('Orchestrator Validation (Stage 6)', () => {
  it('1. refuses a return that is not JSON', () => {
    const prose = seed('return-format/not-json.txt');
    expect(read(contract, prose)).toStrictEqual({
      ok: false,
      violations: [
        {
          code: 'no-return',
          path: '',
          expected: 'a return in the json format',
          got: 'atter. The notes are in the research folder. Tell me if you want a plan as well.',
        },
      ],
      salvaged: { result: {}, head: prose, tail: '' },
    });
    expect(faults(read(contract, '{"status": "completed", "summary": "cut'))).toContain('json-invalid ');
  });

  it.each(['status', 'summary', 'artifacts', 'metadata'])('2. requires %s', (field) => {
    expect(faults(readAs(completed, { [field]: undefined }))).toEqual([`missing ${field}`]);
  });

  it('4. refuses the session id of another delegation', () => {
    const text = JSON.stringify(completed);
    expect(faults(read(contract, text, { delegationId: session }))).toEqual([]);
    expect(faults(read(contract, text, { delegationId: 'sess_1735460684_abc123' }))).toEqual([
      'delegation-mismatch metadata.session_id',
    ]);
  });

  it.each<[string, Readonly<Record<string, string>>, string[]]>([
    ['is there', { '.claude/specs/244_context_refactor/plans/implementation-001.md': '# Plan\n' }, []],
    ['is missing', {}, ['artifact-missing artifacts[0].path']],
    [
      'is empty',
      { '.claude/specs/244_context_refactor/plans/implementation-001.md': '' },
      ['artifact-empty artifacts[0].path'],
    ],
  ])('6. looks on disk for an artifact that %s', async (_, files, expected) => {
    const text = JSON.stringify(completed);
    expect(faults((await readOnDisk({ contract, text, root: folder(files), expected: {} })).reading)).toEqual(expected);
  });
});

describe('Solution: Explicit JSON Format Instruction', () => {
  const prompt = promptSuffix(contract, { delegationId: session });

  it.each([
    'status',
    'summary',
    'artifacts',
    'metadata',
    'errors',
    'next_steps',
    'session_id',
    'duration_seconds',
    'agent_type',
    'delegation_depth',
    'delegation_path',
    'type',
    'path',
    'message',
    'recoverable',
    'recommendation',
  ])('names %s at the end of every prompt', (field) => {
    expect(prompt).toMatch(new RegExp(`^ *- ${field}: `, 'm'));
  });

  it('asks for one JSON object and nothing around it, and gives the delegation id', () => {
    expect(prompt).toContain('Your whole answer is one JSON object: no text around it, no code fence.');
    expect(prompt).toContain(`Your delegation id is ${session}.`);
  });

  it.each(['message', 'tool', 'schema'] as const)('states each rule once, by %s', (by) => {
    const lines = promptSuffix(contract, { by })
      .split('\n')
      .filter((line) => line.startsWith('- '));
    expect(lines.length).toBe(new Set(lines).size);
  });
});

describe('Validation Failures', () => {
  const reading = read(contract, seed('return-format/not-json.txt'));
  const violations = reading.ok ? [] : reading.violations;

  // The document rejects at once. The same agent is asked again first, at most twice, and its work is kept.
  it('asks the same agent for its return again, at most twice', () => {
    expect(mostRepairs).toBe(2);
    const message = repairMessage(contract, violations);
    expect(message).toContain('- the return [no-return]: expected a return in the json format');
    expect(message).toContain('If your work is done, do not repeat it');
  });

  it('then blocks the task, with what was wrong', () => {
    const outcome = reading.ok ? undefined : refused(reading, { repairs: 2 }, 'still not accepted after 2 repairs');
    expect(outcome).toMatchObject({
      status: 'blocked',
      failure: { class: 'contract-violation', message: expect.stringContaining('a return in the json format') },
    });
  });

  it('answers with the agent, its session, the violations, and the advice to fix the agent', () => {
    const text = commandBrief({
      command: 'research',
      number: 269,
      title: 'Find papers',
      run: 'run_01M7HY0ENGM0JTZ3MJYP5GNVCZ',
      end: 'invalid',
      status: 'researching',
      agents: ['researcher'],
      sessions: [session],
      summary: '',
      artifacts: [],
      undone: [],
      degraded: [],
      next: ['divisi research 269'],
      trouble: {
        task: '269',
        agent: 'researcher',
        session,
        class: 'contract-violation',
        violations: ['the return [no-return]: expected a return in the json format'],
        recommendation: 'Fix researcher.',
        errors: [],
        left: [],
      },
    });
    for (const words of ['researcher', session, '- the return [no-return]', 'Fix researcher.']) {
      expect(text).toContain(words);
    }
  });
});
