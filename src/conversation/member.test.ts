import { expect, it } from 'vitest';
import { taskInPrompt } from './delegate-task.ts';
import { delegationInPrompt } from './member.ts';

const run = 'run_01M7HHV4HC6ZB7Z3KND6V1Y630';
const line = (delegation: string, of = run): string => `- run ${of}, delegation ${delegation}, depth 1`;

it.each([
  [`# Your task\n\n${line('sess_1800000000_abc123')}\nand more`, 'sess_1800000000_abc123'],
  // What a plan or an agent says stands before ours.
  [`${line('sess_1700000000_abc123')}\nbroke it\n${line('sess_1800000000_abc123')}`, 'sess_1800000000_abc123'],
  [`Mend what delegation sess_1700000000_abc123 broke.\n${line('sess_1800000000_abc123')}`, 'sess_1800000000_abc123'],
  [line('sess_1800000000_abc123', 'run_01M7HHV4HC6ZB7Z3KND6V1Y631'), undefined],
  [`see ${line('sess_1800000000_abc123')}`, undefined],
  ['', undefined],
])('finds the delegation that a prompt of ours names: %s', (prompt, found) => {
  expect(delegationInPrompt(prompt, run)).toBe(found);
});

it.each([
  ['divisi 1.1', '1.1'],
  ['  Divisi wave-1:review\nplease', 'wave-1:review'],
  ['divisi 1.1, and hurry', '1.1'],
  ['divisi 1.1.', '1.1'],
  ['do divisi 1.1', undefined],
  ['divisifrutti 1.1', undefined],
  ['divisi', undefined],
])('finds the task that a conductor names: %s', (prompt, found) => {
  expect(taskInPrompt(prompt)).toBe(found);
});
