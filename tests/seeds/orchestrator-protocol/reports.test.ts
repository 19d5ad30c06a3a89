/** Where reports are, and how much of a run reaches the one who coordinates it. */
import { describe, expect, it } from 'vitest';
import { contractsByName, findContract } from '../../../src/contracts/registry.ts';
import { read } from '../../../src/contracts/read/read.ts';
import { filesOf } from '../../../src/delegation/delegation-files.ts';
import { questionBudget } from '../../../src/views/brief/checkpoint-brief.ts';
import { planBudget } from '../../../src/views/brief/plan-brief.ts';
import { reportBudget } from '../../../src/views/brief/report-brief.ts';
import { runBudget } from '../../../src/views/brief/run-brief.ts';

const reportOf = (wave: number, task: string): string => filesOf('run_1', wave, task, 'sess_1_abcdef').report;

describe('Report Structure (For Review Agents)', () => {
  it.each([
    [1, '1.1', 'wave-1/task-1.1.md'],
    [2, '2.3', 'wave-2/task-2.3.md'],
    [1, 'wave-1:review', 'wave-1/wave-review.md'],
    [1, 'wave-1:review-2', 'wave-1/wave-review-2.md'],
    [2, 'task-2.3:review', 'wave-2/task-2.3-review.md'],
  ])('wave %i, %s: %s', (wave, task, path) => {
    // One home for all runs; a plan's slug would not tell two runs of it apart.
    expect(reportOf(wave, task)).toBe(`.divisi/runs/run_1/reports/${path}`);
  });
});

describe('Spawning Architect', () => {
  it('returns a line with the path of the plan', () => {
    const architect = findContract(contractsByName(), 'architect');
    expect(read(architect, 'plan|success|.swarm/fix-ts.md')).toMatchObject({
      ok: true,
      result: { status: 'completed', fields: { path: '.swarm/fix-ts.md' } },
    });
  });
});

describe('Context Management (Ultra-Lean)', () => {
  it('the plan, a question, a section of a report and a run of any size fit in the budget together', () => {
    const characters = planBudget + questionBudget + reportBudget + runBudget;
    // About four characters to a token; the document allows 5,000 to 10,000 tokens.
    expect(characters / 4).toBeLessThan(5000);
  });
});
