import { expect, it } from 'vitest';
import { sampleTask } from '../../../tests/support/run-report.ts';
import { noteLines } from './note-lines.ts';

it('says a note of several tasks once, and names the first of them', () => {
  const tasks = ['1.1', '1.2', '1.3', '1.4', '1.5', '1.6'].map((task) => sampleTask(task, { notes: ['No conflicts'] }));
  const other = sampleTask('2.1', { notes: ['Needs a migration'] });
  expect(noteLines({ run: 'run_1', tasks: [...tasks, other], gates: [] })).toEqual([
    'note from 1.1, 1.2, 1.3 and 3 more: No conflicts',
    'note from 2.1: Needs a migration',
  ]);
});
