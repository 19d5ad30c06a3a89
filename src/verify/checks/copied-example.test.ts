import { describe, expect, it } from 'vitest';
import { sampleResult } from '../../../tests/support/samples.ts';
import { tddTaskExecutor } from '../../contracts/built-in/feature-work.ts';
import { waveReview } from '../../contracts/built-in/verdicts.ts';
import { workerReport } from '../../contracts/built-in/worker-report.ts';
import type { Contract } from '../../contracts/contract.ts';
import { printValues } from '../../contracts/write/print.ts';
import { read } from '../../contracts/read/read.ts';
import type { Result } from '../../contracts/result.ts';
import { copiesExample } from './copied-example.ts';

/** What a contract reads out of the example with these changes. */
function result(contract: Contract, changes: Readonly<Record<string, unknown>> = {}): Result {
  const reading = read(contract, printValues(contract, { ...contract.example, ...changes }));
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations));
  return reading.result;
}

const own = {
  summary: 'The importer reads dates in both forms now, and says which line it could not read.',
  acceptance_check: [{ criterion: 'Dates are read', status: 'pass', evidence: 'npm test -- import: 3 passed' }],
  notes_for_orchestrator: [],
  decisions: [],
};

describe('a return that is the example', () => {
  it.each<[what: string, contract: Contract, changes: Record<string, unknown>]>([
    ['all of it', workerReport, {}],
    ['the summary', workerReport, { ...own, summary: workerReport.example['summary'] }],
    ['most of its texts', workerReport, { summary: 'It is done.' }],
    ['the description of a field', workerReport, { ...own, summary: 'What was done, in two to five sentences' }],
    ['a form that was not filled in', workerReport, { ...own, summary: 'Task <status>. The tests pass.' }],
    ['all of a block', tddTaskExecutor, {}],
    ['the form of a line', waveReview, { action: '<action>' }],
  ])('is told: %s', (_what, contract, changes) => {
    expect(copiesExample(contract, result(contract, changes)).map(({ kind }) => kind)).toEqual(['copied-example']);
  });

  it.each<[what: string, contract: Contract, changes: Record<string, unknown>]>([
    ['its own words', workerReport, own],
    [
      'a criterion that is the same',
      workerReport,
      { ...own, acceptance_check: workerReport.example['acceptance_check'] },
    ],
    ['an element of a page', workerReport, { ...own, summary: 'The <title> of the page is set now, and <b> is gone.' }],
    [
      'another block',
      tddTaskExecutor,
      { next_action: 'write the last test of the parser', test_failures: ['dates before 1970'] },
    ],
  ])('is not %s', (_what, contract, changes) => {
    expect(copiesExample(contract, result(contract, changes))).toEqual([]);
  });

  it('is shown as it was said', () => {
    expect(copiesExample(workerReport, sampleResult({ summary: String(workerReport.example['summary']) }))).toEqual([
      {
        kind: 'copied-example',
        rejects: false,
        claim: workerReport.example['summary'],
        fact: "copied from the contract's example",
        paths: [],
      },
    ]);
  });
});
