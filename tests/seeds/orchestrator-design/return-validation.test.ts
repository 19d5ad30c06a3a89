/** Return validation of the orchestrator design, step by step. */
import { describe, expect, it } from 'vitest';
import { contractsByName, findContract } from '../../../src/contracts/registry.ts';
import { read } from '../../../src/contracts/read/read.ts';
import { readOnDisk } from '../../../src/reading/read-on-disk.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const newFolder = temporaryFolders();
const contract = findContract(contractsByName(), 'structured-return');
const session = 'sess_1735460684_a1b2c3';

const valid = {
  status: 'completed',
  summary: 'Found two lemmas.',
  artifacts: [{ type: 'report', path: 'specs/244/reports/research-001.md', summary: 'Findings' }],
  metadata: {
    session_id: session,
    agent_type: 'lean-research-agent',
    delegation_depth: 1,
    delegation_path: ['orchestrator', 'research', 'lean-research-agent'],
  },
};

const codes = (text: string): string[] => {
  const reading = read(contract, text, { delegationId: session });
  return reading.ok ? [] : reading.violations.map(({ code, path }) => `${path} ${code}`.trim());
};
const codesOf = (changes: object): string[] => codes(JSON.stringify({ ...valid, ...changes }));

describe('Validation Logic', () => {
  it('accepts a valid return', () => {
    expect(codesOf({})).toEqual([]);
  });

  it('1. checks the JSON structure', () => {
    expect(codes('I have found out all about it.').join()).toContain('no-return');
  });

  it.each(['status', 'summary', 'artifacts', 'metadata'])('2. requires the field %s', (field) => {
    expect(codesOf({ [field]: undefined }).join()).toContain(field);
  });

  it.each(['completed', 'failed', 'partial', 'blocked'])('3. takes the status %s', (status) => {
    const errors = [{ type: 'execution', message: 'it stopped', recoverable: true, recommendation: 'retry' }];
    expect(codesOf(status === 'completed' ? {} : { status, errors })).toEqual([]);
  });

  it('3. refuses another status', () => {
    expect(codesOf({ status: 'finished' }).join()).toContain('status');
  });

  it('4. compares the session id', () => {
    const metadata = { ...valid.metadata, session_id: 'sess_1703606400_a1b2c3' };
    expect(codesOf({ metadata }).join()).toContain('delegation-mismatch');
  });

  it('5. refuses an empty summary and one of more than 500 characters', () => {
    expect(codesOf({ summary: '' }).join()).toContain('summary');
    expect(codesOf({ summary: 'x'.repeat(501) }).join()).toContain('too-long');
    expect(codesOf({ summary: 'x'.repeat(500) })).toEqual([]);
  });
});

describe('Stage 6: ValidateReturn', () => {
  it('takes a session id at the top, and records the deviation', () => {
    const { session_id: _, ...metadata } = valid.metadata;
    const reading = read(contract, JSON.stringify({ ...valid, session_id: session, metadata }), {
      delegationId: session,
    });
    expect(reading.ok && reading.result.metadata.delegationId).toBe(session);
    expect(reading.ok && reading.result.deviations.length).toBeGreaterThan(0);
  });

  it('a summary of less than 100 tokens passes without a remark, one of up to 500 characters with one', () => {
    const deviations = (length: number): number => {
      const reading = read(contract, JSON.stringify({ ...valid, summary: 'x'.repeat(length) }), {
        delegationId: session,
      });
      return reading.ok ? reading.result.deviations.length : -1;
    };
    expect([deviations(400), deviations(401)]).toEqual([0, 1]);
  });

  // The document asks this of completed returns only. The next attempt continues from what a partial one names, so that counts too.
  it.each(['completed', 'partial'])('the artifacts that a %s return names must exist', async (status) => {
    const errors = [{ type: 'timeout', message: 'too late', recoverable: true, recommendation: 'retry' }];
    const { reading } = await readOnDisk({
      contract,
      text: JSON.stringify({ ...valid, status, ...(status === 'completed' ? {} : { errors }) }),
      root: newFolder(),
      expected: { delegationId: session },
    });
    expect(reading.ok ? undefined : reading.violations[0]?.code).toBe('artifact-missing');
  });
});
