/** Changes of a shared checkout that no tool reports: who is blamed for them. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBrief } from '../../src/views/brief/run-brief.ts';
import { runReport } from '../../src/views/run/run-report.ts';
import { statusText } from '../../src/views/run/status-text.ts';
import { type Conducted, conducted, delegated, reportOf } from '../support/conducted.ts';
import { put } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

const stop = ({ hook, run }: Conducted, task: string, file: string, agent_id: string): Promise<unknown> =>
  hook('SubagentStop', { agent_id, last_assistant_message: reportOf(run, task, file) });

it('nobody is blamed for what anyone at work may have changed; it is said once for the run', async () => {
  const run = await conducted(folder());
  const first = await delegated(run, '1.1', 'src/a.txt');
  const second = await delegated(run, '1.2', 'src/b.txt');
  put(run.project, { 'other/x.txt': 'by a shell\n' });
  rmSync(join(run.project, 'src/known.txt'));
  await stop(run, '1.1', 'src/a.txt', first.agent);
  await stop(run, '1.2', 'src/b.txt', second.agent);
  const state = await run.state();
  const found = [...state.tasks.values()].map(({ attempt }) => attempt?.verification?.findings);
  expect(found).toEqual([[], []]);
  const tasks = ['1.1', '1.2'];
  expect(state.unattributed).toEqual([
    { path: 'other/x.txt', tasks },
    { path: 'src/known.txt', tasks },
  ]);
  const report = runReport(state);
  const said = 'changed while 1.1, 1.2 were at work, nothing says by whom: other/x.txt, src/known.txt';
  expect(statusText(report, 0).split(said)).toHaveLength(2);
  expect(runBrief(report)).toContain(said);
});

it('an agent is not blamed for a file in its scope that it says nothing about, unless it was alone', async () => {
  const run = await conducted(folder(), '', { scope: 'src/a.txt, src/known.txt' });
  const first = await delegated(run, '1.1', 'src/a.txt');
  const second = await delegated(run, '1.2', 'src/b.txt');
  rmSync(join(run.project, 'src/known.txt'));
  await stop(run, '1.2', 'src/b.txt', second.agent);
  await stop(run, '1.1', 'src/a.txt', first.agent);
  const state = await run.state();
  expect(state.tasks.get('1.1')?.attempt?.verification).toMatchObject({ verdict: 'verified', findings: [] });
  expect(state.unattributed).toMatchObject([{ path: 'src/known.txt' }]);
});

it('an agent that was alone is asked about it', async () => {
  const run = await conducted(folder(), '', { scope: 'src/a.txt, src/known.txt' });
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  rmSync(join(run.project, 'src/known.txt'));
  put(run.project, { 'other/x.txt': 'by a shell\n' });
  await stop(run, '1.1', 'src/a.txt', agent);
  const { failures } = (await run.state()).tasks.get('1.1') ?? {};
  expect(failures).toMatchObject([{ class: 'verification-failed', message: expect.stringContaining('src/known.txt') }]);
  expect((await run.state()).unattributed).toEqual([]);
});
