import { describe, expect, it } from 'vitest';
import { advance, createdRun, end, happen, planOf } from '../../tests/support/state-of.ts';
import { openCheckpoints, type RunState } from '../core/state.ts';
import type { Plan } from '../plan/plan.ts';
import { type CheckpointQuestion, checkpointQuestion, questionText } from './checkpoint-question.ts';

const escape = String.fromCodePoint(27);
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const control = /[\u0000-\u0009\u000b-\u001f\u007f]/;

function begun(plan: Plan): RunState {
  const state = happen(createdRun(plan, 4, true), { kind: 'run.started', command: 'a test' });
  advance(state);
  return state;
}

function asked(state: RunState): CheckpointQuestion {
  const [open] = openCheckpoints(state);
  if (open === undefined) throw new Error('nobody is asked');
  return checkpointQuestion(state, open);
}

/** A review of the first wave that has said HIGH before, and LOW now. */
function reviewed(): RunState {
  const plan = planOf([[{ id: '1.1' }, { id: '1.2' }], [{ id: '2.1' }]], {
    checkpoints: [{ afterWave: 1, why: `look ${escape}[2J at it` }],
  });
  const state = begun(plan);
  end(state, '1.1', 'completed', { files: ['src/a.ts'] });
  end(state, '1.2', 'completed', { files: [`src/${escape}b.ts`], degraded: ['recovered'] });
  advance(state);
  end(state, 'wave-1:review', 'completed', { verdict: { priority: 'HIGH', action: 'mend-it' } });
  advance(state);
  end(state, 'wave-1:fix', 'completed', { files: ['src/c.ts'] });
  advance(state);
  end(state, 'wave-1:review-2', 'completed', { verdict: { priority: 'LOW', action: 'none' } });
  advance(state);
  return state;
}

describe('what a person is asked', () => {
  it('has what was done, the files, what was found and mended, and what is worth a look', () => {
    expect(asked(reviewed())).toEqual({
      checkpoint: 'checkpoint-1',
      kind: 'planned',
      why: `look ${escape}[2J at it`,
      approve: 'go on',
      reject: 'stop the run here',
      completed: ['1.1', '1.2'],
      files: ['src/a.ts', `src/${escape}b.ts`, 'src/c.ts'],
      issues: ['wave-1: mended in 1 round'],
      concerns: ['1.2: recovered'],
    });
  });

  it('is shown in words that cannot steer a terminal, with both commands', () => {
    const text = questionText(asked(reviewed()), 'run_1');
    expect(text).toContain('checkpoint-1 needs you: look [2J at it');
    expect(text).toMatch(/\n {2}tutti approve run_1 +go on\n {2}tutti reject run_1 +stop the run here$/);
    expect(text).not.toMatch(control);
  });

  it.each([
    ['unclear', /^try it again/],
    ['environment', /^try it again/],
    ['contract-violation', /^take the work as done/],
  ] as const)('of a failure (%s): what a yes means', (kind, approve) => {
    const state = begun(planOf([[{ id: '1.1' }]]));
    end(state, '1.1', 'blocked', { failure: { class: kind, message: 'no' } });
    advance(state);
    const { kind: of, why, approve: yes, reject, concerns } = asked(state);
    expect({ of, why }).toEqual({ of: 'failure', why: `1.1: ${kind}: no` });
    expect(yes).toMatch(approve);
    expect(reject).toMatch(/^leave it, skip what depends on it/);
    expect(concerns).toHaveLength(1);
  });

  it('of a budget that is used up: more of it, or the end of the run', () => {
    const state = begun(planOf([[{ id: '1.1' }, { id: '1.2' }]], { settings: { budgets: { delegations: 1 } } }));
    end(state, '1.1', 'completed');
    advance(state);
    expect(asked(state)).toMatchObject({
      kind: 'budget',
      why: 'the budget of 1 delegations is used up',
      approve: 'grant the same budget once more',
      reject: 'stop the run here',
    });
  });
});
