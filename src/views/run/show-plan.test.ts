import { expect, it } from 'vitest';
import { advance, createdRun, end, happen, planOf } from '../../../tests/support/state-of.ts';
import type { RunState } from '../../core/state/state.ts';
import type { Plan } from '../../plan/plan.ts';
import { showPlanText, shownPlan } from './show-plan.ts';

const escape = String.fromCodePoint(27);

/** The waves of the plan are called 0 and 4. */
function halfway(): RunState {
  const base = planOf(
    [
      [
        {
          id: '0.1',
          title: `Find ${escape}[31mthem`,
          scope: ['src/cart'],
          forbidden: ['src/cart/gen'],
          accept: ['npm test passes', 'no\nmore', '`npm test`'],
        },
        { id: '0.2', after: [{ task: '0.1' }], tier: 'deep', agent: 'code-reviewer' },
      ],
      [{ id: '4.1', after: [{ wave: 0 }], scope: ['docs', 'test'] }],
    ],
    { checkpoints: [{ afterWave: 0, why: 'look at it' }] },
  );
  const numbers = [0, 4];
  const plan: Plan = { ...base, waves: base.waves.map((wave, at) => ({ ...wave, number: numbers[at] ?? 0 })) };
  const state = happen(createdRun(plan), { kind: 'run.started', command: 'a test' });
  advance(state);
  end(state, '0.1', 'completed');
  advance(state);
  return state;
}

it('shows waves, tasks and checkpoints as the plan has them', () => {
  expect(showPlanText(shownPlan(halfway())).split('\n').slice(1)).toEqual([
    'plan plan.md',
    'goal a goal',
    '2 at a time, driver command',
    '',
    'wave 0 wave 1 (running)',
    '  [x] 0.1 Find [31mthem (standard, worker)',
    '      scope: src/cart',
    '      forbidden: src/cart/gen',
    '      accept: npm test passes',
    '      accept: no more',
    '      accept (command): `npm test`',
    '  [~] 0.2 Task 0.2 (deep, code-reviewer)',
    '      after: 0.1',
    '  review (deep)',
    '  checkpoint (coming): look at it',
    '',
    'wave 4 wave 2 (pending)',
    '  [ ] 4.1 Task 4.1 (standard, worker)',
    '      after: wave 0',
    '      scope: docs, test',
    '  review (deep)',
  ]);
});

it('as data, with everything a task was given', () => {
  const { waves, checkpoints, goal } = shownPlan(halfway());
  expect(goal).toBe('a goal');
  expect(waves.map(({ wave, status }) => [wave, status])).toEqual([
    [0, 'running'],
    [4, 'pending'],
  ]);
  expect(waves[1]?.tasks).toEqual([
    {
      task: '4.1',
      title: 'Task 4.1',
      description: 'Do 4.1.',
      mark: ' ',
      status: 'pending',
      tier: 'standard',
      agent: 'worker',
      after: [{ wave: 0 }],
      scope: ['docs', 'test'],
      accept: [],
    },
  ]);
  expect(checkpoints).toEqual([{ checkpoint: 'checkpoint-1', afterWave: 0, why: 'look at it', status: 'coming' }]);
});
