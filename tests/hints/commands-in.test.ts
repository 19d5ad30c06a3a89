import { expect, it } from 'vitest';
import { commandsIn, isExample } from './commands-in.ts';

const linesIn = (text: string): string[] => commandsIn(text).map((words) => words.join(' '));

it.each([
  ['next: divisi resume run_1 retries what did not complete', ['resume run_1']],
  ['  divisi approve run_1 --checkpoint c-1    accept the work', ['approve run_1 --checkpoint c-1']],
  ['or: cd "$(divisi path run_1/1.1)"    look around', ['path run_1/1.1']],
  ['`divisi merge run_1 --yes` merges it; `divisi diff run_1` shows it.', ['merge run_1 --yes', 'diff run_1']],
  ['divisi resume run_1 from task 1.1    redo it', ['resume run_1 from task 1.1']],
  ['add it: divisi task add "…".', ['task add "…"']],
  ['`divisi list` shows the runs; run divisi in the folder', ['list']],
  ['Wait (divisi status run_1), or stop it first: divisi pause run_1.', ['status run_1', 'pause run_1']],
  ['/divisi:resume, branch divisi/run_1', []],
])('%s', (text, found) => {
  expect(linesIn(text)).toEqual(found);
});

it('knows what the reader has to fill in', () => {
  expect(
    [
      ['run', 'PLAN'],
      ['plan', '"…"'],
      ['status', 'run_1'],
    ].map(isExample),
  ).toEqual([true, true, false]);
});
