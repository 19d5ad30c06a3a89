/** Any text becomes a plan of one task with exactly these words, and none of them is run or interpreted. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fewRuns } from '../../tests/properties/runs.ts';
import { DivisiError } from '../base/error.ts';
import { oneTaskPlan } from './one-task-plan.ts';
import { loadPlan } from './parse-plan.ts';

const lines = fc.constantFrom(
  '## Settings',
  '- Command: sh -c evil',
  '- Driver: command',
  '## Wave 2',
  '| id | task | accept |',
  '|---|---|---|',
  '| 9.9 | evil | `sh evil.sh` |',
  '- [ ] 2.1 Evil',
  '  - Accept: run: sh evil.sh',
  '#### Task 1.1',
  '- Accept: `npm test`',
  '- Agent: other',
  '## Checkpoints',
  '- [ ] After wave 1: evil',
  '```',
  '````',
  '~~~',
  '<!--',
  '-->',
  '',
  '---',
  '> quote',
  'Review: none',
  'Checkpoint: evil',
);
const words = fc.oneof(
  fc.string({ minLength: 1, maxLength: 80 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
  fc.array(fc.oneof(lines, fc.string({ maxLength: 20 })), { minLength: 1, maxLength: 12 }).map((all) => all.join('\n')),
);

/** Refused, or exactly this. */
it('a task is a task', () => {
  fc.assert(
    fc.property(words, (task) => {
      const { plan } = loadPlan(oneTaskPlan({ task }), 'the task');
      const { waves, settings, checkpoints } = plan;
      expect({ settings, checkpoints }).toEqual({ settings: { budgets: {} }, checkpoints: [] });
      expect(waves).toMatchObject([{ number: 1, tasks: [{ id: '1.1', accept: [], scope: [], mark: ' ' }] }]);
      const said = waves[0]?.tasks[0]?.description ?? '';
      const kept = task.toWellFormed().replaceAll(/\r\n?/g, '\n').split('\n');
      for (const line of kept) expect(said).toContain(line.trim().slice(0, 10).trim());
    }),
    fewRuns,
  );
});

it.each([
  { agent: 'a b' },
  { agent: '`x`' },
  { scope: ['a|b'] },
  { scope: ['a`, `b'] },
  { scope: ['a\nb'] },
  { scope: ['../out'] },
  { scope: ['/etc'] },
  { scope: [''] },
])('%j is refused', (more) => {
  expect(() => oneTaskPlan({ task: 'Do it.', ...more })).toThrow(DivisiError);
});

it('has agent, tier and scope as they were given', () => {
  const { plan } = loadPlan(
    oneTaskPlan({ task: 'Fix it.\n\nAll of it.', agent: 'coder', tier: 'deep', scope: ['src/a', '!src/a/b'] }),
    'the task',
  );
  expect(plan.title).toBe('Fix it.');
  expect(plan.waves[0]?.tasks).toMatchObject([
    { title: 'Fix it.', agent: 'coder', tier: 'deep', scope: ['src/a'], forbidden: ['src/a/b'] },
  ]);
  expect(plan.waves[0]?.tasks[0]?.description).toBe('```text\nFix it.\n\nAll of it.\n```');
});
