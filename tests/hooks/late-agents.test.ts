/** Agents of a conversation whose time is up: what hooks let them do. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { findRunTask } from '../../src/project/find-run.ts';
import { withLedger } from '../../src/project/project-ledger.ts';
import { readReport } from '../../src/project/read-report.ts';
import type { HookAnswer } from '../../src/hooks/answer.ts';
import { type Conducted, conducted, delegated, reportOf } from '../support/conducted.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
afterEach(() => void vi.useRealTimers());

const over = 'your time is up: return what you have';
const reads = (run: Conducted, agent_id: string): Promise<HookAnswer> =>
  run.hook('PreToolUse', { agent_id, tool_name: 'Read', tool_input: { file_path: 'src/known.txt' } });

it('an agent may not do anything after its deadline, and its return still counts', async () => {
  const run = await conducted(folder());
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  expect(await reads(run, agent)).toEqual({ kind: 'nothing' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 });
  expect(JSON.stringify(await reads(run, agent))).toContain(over);
  await run.hook('SubagentStop', {
    agent_id: agent,
    last_assistant_message: reportOf(run.run, '1.1', 'src/a.txt'),
  });
  expect((await run.state()).tasks.get('1.1')?.progress.status).toBe('completed');
});

it('an agent whose task has another one may not do anything, nor may those it calls, and its return changes nothing', async () => {
  const run = await conducted(folder());
  const first = await delegated(run, '1.1', 'src/a.txt', 'first');
  expect(await reads(run, first.agent)).toEqual({ kind: 'nothing' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 });
  const second = await delegated(run, '1.1', 'src/a.txt', 'second');
  expect(await reads(run, second.agent)).toEqual({ kind: 'nothing' });
  expect(JSON.stringify(await reads(run, first.agent))).toContain(over);
  run.called('helper', first.agent);
  expect(JSON.stringify(await reads(run, 'helper'))).toContain(over);
  const before = await run.state();
  const answer = await run.hook('SubagentStop', {
    agent_id: first.agent,
    last_assistant_message: reportOf(run.run, '1.1', 'src/a.txt'),
    background_tasks: [{ id: first.agent }],
  });
  expect(answer).toMatchObject({ kind: 'continue', message: expect.stringContaining('Returned too late') });
  expect((await run.state()).tasks.get('1.1')).toEqual(before.tasks.get('1.1'));
});

it('a late command of an agent does not change the report that was returned', async () => {
  const run = await conducted(folder());
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  const returned = reportOf(run.run, '1.1', 'src/a.txt');
  await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: returned });
  const found = await withLedger(run.project, async (ledger) => findRunTask(ledger, `${run.run}/1.1`));
  const before = await readReport(run.project, found);
  writeFileSync(join(run.project, before.path), 'late');
  const after = await readReport(run.project, found);
  expect(after).toEqual({ ...before, path: expect.stringContaining(`${found.task.attempt?.delegation}.md`) });
  expect(before.text).toContain('src/a.txt');
});

it('an agent without a task of the run may do everything', async () => {
  const run = await conducted(folder());
  expect(await reads(run, 'stranger')).toEqual({ kind: 'nothing' });
});
