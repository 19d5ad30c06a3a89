/** When and where a run writes to its plan, by the moments and the forms of the document. */
import { describe, expect, it } from 'vitest';
import type { RunState } from '../../../src/core/state/state.ts';
import { editPlan } from '../../../src/plan/edit-plan.ts';
import { loadPlan } from '../../../src/plan/parse-plan.ts';
import { planChanges } from '../../../src/views/files/plan-changes.ts';
import { type Script, type ScriptedRun, scriptedRun } from '../../support/scripted-run.ts';

const folder = '.swarm/reports/fix-ts';

/** The first review of wave 1 says HIGH; task 2.1 fails for good where `fails`. */
const script =
  (fails: boolean): Script =>
  ({ task: { id } }) => {
    const report = `${folder}/${id}.md`;
    if (id === 'wave-1:review') return { verdict: { priority: 'HIGH', action: 'fix-imports' }, report };
    if (id.includes('review')) return { verdict: { priority: 'LOW', action: 'nothing-to-do' }, report };
    if (fails && id === '2.1') return { failure: { class: 'unclear', message: 'which of the two?' } };
    return { report, files: [`src/${id}.ts`] };
  };

const table = (columns: string, cells: string): string => `# Swarm Plan: Fix the types

**Status**: planning

## Goal
Green again.

## Checkpoints
- [ ] After wave 1

## Wave 1: Types [pending]

| ID | Task |${columns}
|---|---|${columns.replaceAll(/[^|]+/g, '---')}
| 1.1 | Export the interfaces |${cells}

### Audit

Pending.

## Wave 2: Callers [pending]

| ID | Task |${columns}
|---|---|${columns.replaceAll(/[^|]+/g, '---')}
| 2.1 | Correct the call sites |${cells}
`;

const written = (text: string, state: RunState, log: readonly string[] = []): string =>
  editPlan(loadPlan(text, '.swarm/fix-ts-inprogress.md'), planChanges(state, log));

const run = (text: string, fails = false) =>
  scriptedRun(loadPlan(text, '.swarm/fix-ts-inprogress.md').plan, script(fails));

const lineOf = (text: string, words: string): string => text.split('\n').find((line) => line.includes(words)) ?? '';

describe('Plan File Updates', () => {
  it('wave status, task marks, the audit, the checkpoint, and the state at the end', async () => {
    const text = table(' Status |', ' [ ] |');
    const wave = run(text);
    const atCheckpoint = written(text, await wave.work());
    expect(lineOf(atCheckpoint, '## Wave 1')).toBe('## Wave 1: Types [completed]');
    expect(lineOf(atCheckpoint, '## Wave 2')).toBe('## Wave 2: Callers [pending]');
    expect(lineOf(atCheckpoint, 'After wave 1')).toBe('- [ ] After wave 1');
    expect(lineOf(atCheckpoint, 'Status**')).toBe('**Status**: paused');
    expect(atCheckpoint).toContain(
      [
        '### Audit',
        '',
        'Pending.',
        '',
        `- wave-1:review: HIGH fix-imports (${folder}/wave-1:review.md)`,
        `- wave-1:review-2: LOW nothing-to-do (${folder}/wave-1:review-2.md)`,
        '',
      ].join('\n'),
    );
    wave.answer({ approved: true });
    const state = await wave.work();
    const atEnd = written(atCheckpoint, state, ['all done']);
    expect(lineOf(atEnd, 'After wave 1')).toBe('- [x] After wave 1');
    expect(lineOf(atEnd, 'Status**')).toBe('**Status**: completed');
    // Wave 2 has no section of its own.
    expect(atEnd).toContain(
      [
        '## Audit',
        '',
        `- wave-2:review: LOW nothing-to-do (${folder}/wave-2:review.md)`,
        `- final:review: LOW nothing-to-do (${folder}/final:review.md)`,
        '',
      ].join('\n'),
    );
    expect(atEnd).toContain('## Execution Log\n\n- all done\n');
    expect(written(atEnd, state)).toBe(atEnd);
  });

  it('before a wave starts: the plan is in progress, the wave too, and its tasks are running', async () => {
    const text = table(' Status |', ' [ ] |');
    const seen: string[] = [];
    const wave: ScriptedRun = scriptedRun(loadPlan(text, '.swarm/fix-ts-inprogress.md').plan, (activity) => {
      if (activity.task.id === '1.1') seen.push(written(text, wave.state()));
      return script(false)(activity);
    });
    await wave.work();
    const [now = ''] = seen;
    expect([lineOf(now, 'Status**'), lineOf(now, '## Wave 1'), lineOf(now, '| 1.1')]).toEqual([
      '**Status**: inprogress',
      '## Wave 1: Types [in_progress]',
      '| 1.1 | Export the interfaces | [~] |',
    ]);
  });

  it('marks a failed task [!] and goes on', async () => {
    const text = table(' Status |', ' [ ] |').replace('- [ ] After wave 1', '- [x] After wave 1');
    const wave = run(text, true);
    await wave.work();
    wave.answer({ approved: false });
    const state = await wave.work();
    expect(lineOf(written(text, state), '2.1')).toBe('| 2.1 | Correct the call sites | [!] |');
    expect(lineOf(written(text, state), 'Status**')).toBe('**Status**: failed');
  });
});

describe('End of Wave (Single Blocking Call)', () => {
  const path = `${folder}/1.1.md`;

  it.each([
    ['a Report column', ' Status | Report |', ' [ ] | |', `| 1.1 | Export the interfaces | [x] | ${path} |`],
    ['no Report column', ' Status |', ' [ ] |', `| 1.1 | Export the interfaces | [x] → ${path} |`],
    ['words as marks', ' Status |', ' pending |', `| 1.1 | Export the interfaces | completed → ${path} |`],
  ])('a table with %s gets the report paths', async (_name, columns, cells, row) => {
    const text = table(columns, cells);
    const state = await run(text).work();
    const once = written(text, state);
    expect(lineOf(once, '| 1.1')).toBe(row);
    expect(written(once, state)).toBe(once);
    expect(loadPlan(once, 'p.md').plan.waves[0]?.tasks[0]?.mark).toBe('x');
  });

  it('a list below the table keeps them instead', async () => {
    const text = table(' Status |', ' [ ] |').replace('\n### Audit', '\n- [ ] 1.1\n\n### Audit');
    const once = written(text, await run(text).work());
    expect(lineOf(once, '- [x] 1.1')).toBe(`- [x] 1.1 → ${path}`);
    expect(lineOf(once, '| 1.1')).toBe('| 1.1 | Export the interfaces | [x] |');
  });
});
