/** The lines that architects and reviewers return, and what each of them must become. */
import { describe } from 'vitest';
import type { Result } from '../../../src/contracts/result.ts';
import { emptyResult, testVectors, type Vector } from '../../support/vectors.ts';

function verdict(contract: string, priority: string, action: string, path: string): Result {
  return {
    ...emptyResult,
    contract,
    status: 'completed',
    summary: `${priority}: ${action}`,
    artifacts: [{ type: 'report', path }],
    fields: { priority, action, path },
    wireFormat: 'line',
  };
}

const waveReview = '.swarm/reports/fix-ts/wave-1/wave-review.md';

const lines: readonly Vector[] = [
  {
    file: 'orchestrator-protocol/plan-line.txt',
    contract: 'architect',
    action: 'record',
    result: {
      ...emptyResult,
      contract: 'architect',
      status: 'completed',
      summary: 'plan .swarm/fix-ts.md',
      artifacts: [{ type: 'plan', path: '.swarm/fix-ts.md' }],
      fields: { path: '.swarm/fix-ts.md' },
      wireFormat: 'line',
    },
  },
  {
    file: 'orchestrator-protocol/verdict-high.txt',
    contract: 'wave-review',
    action: 'fix',
    result: verdict('wave-review', 'HIGH', 'fix-imports', waveReview),
  },
  {
    file: 'orchestrator-protocol/verdict-med.txt',
    contract: 'wave-review',
    action: 'defer',
    result: verdict('wave-review', 'MED', 'split-module', waveReview),
  },
  {
    file: 'orchestrator-protocol/verdict-low.txt',
    contract: 'task-review',
    action: 'proceed',
    result: verdict('task-review', 'LOW', 'none-needed', '.swarm/reports/fix-ts/wave-2/task-2.3.md'),
  },
];

describe('Report Structure (For Review Agents)', () => {
  testVectors(lines);
});
