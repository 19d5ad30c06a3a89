import { expect, it } from 'vitest';
import { taskNamed } from './delegate-task.ts';
import { delegationIn } from './member.ts';

it.each([
  ['- run run_1, delegation sess_1800000000_abc123, depth 1', 'sess_1800000000_abc123'],
  ['delegation sess_1800000000_abc12', undefined],
  ['sess_1800000000_abc123', undefined],
  ['', undefined],
])('finds the delegation that a prompt of ours names: %s', (prompt, found) => {
  expect(delegationIn(prompt)).toBe(found);
});

it.each([
  ['tutti 1.1', '1.1'],
  ['  Tutti wave-1:review\nplease', 'wave-1:review'],
  ['tutti 1.1, and hurry', '1.1'],
  ['do tutti 1.1', undefined],
  ['tuttifrutti 1.1', undefined],
  ['tutti', undefined],
])('finds the task that a conductor names: %s', (prompt, found) => {
  expect(taskNamed(prompt)).toBe(found);
});
