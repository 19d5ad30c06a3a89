/** The question at a checkpoint of the plan: what was done, what comes next, and what each answer does. */
import { describe, expect, it } from 'vitest';
import { openCheckpoints, type RunState } from '../../../src/core/state/state.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { checkpointQuestion } from '../../../src/views/run/checkpoint-question.ts';
import { questionText } from '../../../src/views/run/question-text.ts';
import { progressLines } from '../../../src/views/run/progress-lines.ts';
import { type Script, type ScriptedRun, scriptedRun } from '../../support/scripted-run.ts';
import { planOf } from '../../support/state-of.ts';

const next = [{ id: '2.1' }, { id: '2.2' }, { id: '2.3' }];

const planned = (why: string, afterWave = 1): Plan =>
  planOf([[{ id: '1.1' }, { id: '1.2' }], next], { checkpoints: [{ afterWave, why }] });

/** The first review of wave 1 says HIGH. */
const script: Script = ({ task }) => {
  if (task.id === 'wave-1:review') return { verdict: { priority: 'HIGH', action: 'fix-imports' } };
  if (task.id.includes('review')) return { verdict: { priority: 'LOW', action: 'nothing-to-do' } };
  const isDegraded = task.id === '1.2';
  return {
    files: [`${task.id}.ts`],
    degraded: isDegraded ? ['no-tests'] : [],
    notes: isDegraded ? ['2.1 may reuse it'] : [],
  };
};

const asked = (state: RunState): string[] =>
  openCheckpoints(state).flatMap((one) =>
    questionText(checkpointQuestion(state, one), state.created.run, true).split('\n'),
  );

describe('Checkpoint Handling', () => {
  it('summarises the wave, says what comes next, and waits', async () => {
    const run: ScriptedRun = scriptedRun(planned(''), script);
    const state = await run.work();
    const id = state.created.run;
    expect(state.status).toBe('paused');
    expect(asked(state)).toEqual([
      'checkpoint-1 needs you: Wave 1 is complete. Continue with wave 2 (3 tasks)?',
      // Names instead of numbers: tasks completed, files modified, issues found and fixed, concerns, notes.
      '  completed: 1.1, 1.2',
      '  files: 1.1.ts, 1.2.ts, wave-1:fix.ts',
      '  review: wave-1: fixed in 1 round',
      '  concern: 1.2: no-tests',
      '  note: 1.2: 2.1 may reuse it',
      `  divisi approve ${id}    continue the run`,
      `  divisi reject ${id}     stop the run here`,
    ]);
    expect(state.reason).toBe('checkpoint: Wave 1 is complete. Continue with wave 2 (3 tasks)?');
    run.answer({ approved: true });
    expect((await run.work()).status).toBe('completed');
  });

  it('asks with the reason that the plan gives', async () => {
    const [line] = asked(await scriptedRun(planned('confirm the shared types'), script).work());
    expect(line).toBe('checkpoint-1 needs you: confirm the shared types');
  });

  it('asks whether to finish after the last wave', async () => {
    const [line] = asked(await scriptedRun(planned('', 2), script).work());
    expect(line).toBe('checkpoint-1 needs you: Wave 2 is complete. Finish the run?');
  });
});

describe('2. Mode Detection', () => {
  it('auto passes the checkpoints of the plan, and says no more than that', async () => {
    const run = scriptedRun(planned(''), script, { mode: 'auto' });
    const state = await run.work();
    expect(state.status).toBe('completed');
    const lines = progressLines();
    const shown = run.events.flatMap((event) => lines(event, state) ?? []);
    expect(shown.filter((line) => line.includes('checkpoint'))).toEqual(['checkpoint-1 approved (auto mode)']);
  });
});
