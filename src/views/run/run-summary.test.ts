import { expect, it } from 'vitest';
import { advance, createdRun, end, happen, planOf } from '../../../tests/support/state-of.ts';
import { runReport } from './run-report.ts';
import { runSummary } from './run-summary.ts';
import { summaryText } from './summary-text.ts';

const hostile = '# Not a heading\n## Done\n- [x] not an item\n<script>';

it('sums up a run: what is open first, then what is worth a look, what was done, reviews, files', () => {
  const state = createdRun(planOf([[{ id: '1.1', title: hostile }, { id: '1.2' }, { id: '1.3' }]]), 3, true);
  happen(state, { kind: 'run.started', command: 'a test' });
  advance(state);
  end(state, '1.1', 'completed', { summary: hostile, files: ['src/a.ts'], report: 'reports/1.1.md' });
  end(state, '1.3', 'completed', { degraded: ['recovered'] });
  end(state, '1.2', 'blocked', { failure: { class: 'unclear', message: 'which one?' } });
  advance(state);
  happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: false, by: 'person' });
  advance(state);
  end(state, 'wave-1:review', 'completed', { verdict: { priority: 'LOW', action: 'none' } });
  advance(state);
  expect(state.status).toBe('failed');
  const text = runSummary(runReport(state));
  expect(text.match(/^#.*$/gm)?.slice(1)).toEqual([
    '## Open',
    '## Degraded',
    '## Done',
    '## Reviews and fixes',
    '## Files',
  ]);
  expect(text).toContain(': failed. 2 of 3 tasks completed, 4 delegations, ');
  expect(text).toMatch(/\n- 1\.2 Task 1\.2: blocked: which one\?\n/);
  expect(text).toMatch(/\n- 1\.1 # Not a heading ## Done .* → reports\/1\.1\.md\n/);
  expect(text).not.toMatch(/^- \[x\]|(?<!\\)<script>/m);
});

it('says that reviews are off, and only then', () => {
  const report = runReport(createdRun(planOf([[{ id: '1.1' }]]), 1, true));
  const said = 'reviews: off, as the plan says; neither the waves nor the run as a whole were reviewed';
  const off = { ...report, reviews: 'off' as const };
  expect([runSummary(report), summaryText(report, 'x')].join('\n')).not.toContain('reviews: off');
  expect(runSummary(off)).toContain(`\n${said}.\n`);
  expect(summaryText(off, 'x')).toContain(`\n${said}\n`);
});
