/** `divisi diff` of a run that a conversation conducts: its agents share the checkout. */
import { expect, it } from 'vitest';
import { conducted, delegated, reportOf } from '../support/conducted.ts';
import { divisiTo, put } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

it('shows the files of a task, and of the run all that changed since it began', async () => {
  const run = await conducted(folder());
  const first = await delegated(run, '1.1', 'src/a.txt');
  const second = await delegated(run, '1.2', 'src/b.txt');
  const text = reportOf(run.run, '1.1', 'src/a.txt');
  await run.hook('SubagentStop', { agent_id: first.agent, last_assistant_message: text });
  put(run.project, { 'src/known.txt': 'edited by a person\n' });
  const diff = async (...words: string[]): Promise<unknown> =>
    JSON.parse(await divisiTo(0, run.project, 'diff', ...words, '--json'));
  const added = { change: 'added', linesAdded: 1 };
  expect(await diff('1.1')).toMatchObject({ where: 'checkout', files: [{ path: 'src/a.txt', ...added }] });
  expect(await divisiTo(0, run.project, 'diff', '1.1')).toMatch(
    /its files in your checkout since it was delegated: 1 file [^]*\n\+written\n$/,
  );
  expect(await diff()).toMatchObject({
    run: run.run,
    files: [{ path: 'src/a.txt' }, { path: 'src/b.txt' }, { path: 'src/known.txt' }],
  });
  expect(second.agent).toBe('agent12');
  expect(await divisiTo(0, run.project, 'diff', '1.2', '--stat')).toContain('everything in your checkout since');
});
