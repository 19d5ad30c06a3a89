/** The frontmatter of a report, alone and as JSON, and its version. */
import { describe, expect, it } from 'vitest';
import { read } from '../../../src/contracts/read/read.ts';
import type { Reading, Result } from '../../../src/contracts/result.ts';
import { seed } from '../../support/vectors.ts';
import { contractNamed } from '../../support/wire-returns.ts';

const contract = contractNamed('worker-report');
const report = seed('output-flow/task-report.md');
const front = JSON.parse(seed('output-flow/result-fields.json')) as Readonly<Record<string, unknown>>;

function resultOf(reading: Reading): Result {
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations));
  return reading.result;
}

function remarks(reading: Reading): string[] {
  return resultOf(reading).deviations.map(({ code, path }) => `${code} ${path}`);
}

describe('6. `validate_result.py`', () => {
  it('takes raw JSON of exactly the eight fields', () => {
    const reading = read(contract, JSON.stringify(front));
    const { deviations: _, summary, wireFormat, fields, ...result } = resultOf(reading);
    const {
      deviations,
      summary: written,
      wireFormat: format,
      fields: body,
      ...same
    } = resultOf(read(contract, report));
    expect(result).toEqual(same);
    expect([wireFormat, fields, format, deviations]).toEqual(['json', {}, 'report', []]);
    expect(body).toMatchObject({ issues: [] });
    expect(written).toContain('Added endpoint tests');
    expect(summary).toBe('completed: 2 files touched, 1 criteria checked');
    expect(remarks(reading)).toEqual(['wire-format ', 'summary-missing summary', 'status-alias status']);
  });

  it.each(['blocked', 'failed', 'partial'])('takes the notes of a %s task for what is in its way', (status) => {
    const { errors, ...result } = resultOf(read(contract, JSON.stringify({ ...front, status })));
    expect(errors).toMatchObject([{ message: 'No conflicts, ready for merge' }]);
    expect(result.status).toBe(status);
    const silent = read(contract, JSON.stringify({ ...front, status, notes_for_orchestrator: [] }));
    expect(silent).toMatchObject({ ok: false, violations: [{ code: 'rule-broken', path: 'issues' }] });
  });

  it.each(Object.keys(front))('refuses JSON without %s', (field) => {
    const reading = read(contract, JSON.stringify({ ...front, [field]: undefined }));
    const missing = reading.ok ? [] : reading.violations.map(({ code, path }) => `${code} ${path}`);
    expect(missing).toContain(`missing ${field}`);
  });

  // The form asked for has a summary; JSON that names parts of the body leaves it out by mistake.
  it('refuses more than the frontmatter without a summary', () => {
    const reading = read(contract, JSON.stringify({ ...front, decisions: ['none'] }));
    expect(reading).toMatchObject({ ok: false, violations: [{ code: 'missing', path: 'summary' }] });
  });

  it.each([
    ['1.0.0', []],
    ['1.4.2', []],
    ['1', ['spelling schema_version']],
    ['1.0', ['spelling schema_version']],
    ['v1.0.0', ['spelling schema_version']],
  ])('takes schema version %s', (version, expected) => {
    expect(remarks(read(contract, report.replace('"1.0.0"', `"${version}"`)))).toEqual(expected);
  });

  it.each(['2.0.0', '0.9.0', '1.0.0.0', '10.0.0', 'latest'])('refuses schema version %s', (version) => {
    expect(read(contract, report.replace('"1.0.0"', `"${version}"`))).toMatchObject({
      ok: false,
      violations: [{ code: 'not-a-choice', path: 'schema_version' }],
    });
  });

  it('names the field of the form when a report belongs to another run or task', () => {
    const reading = read(contract, report, { runId: 'run_1', taskId: 'T-13' });
    expect(reading.ok ? [] : reading.violations.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'delegation-mismatch run_id',
      'delegation-mismatch task_id',
    ]);
  });
});
