/** A conducted run whose plan no person has confirmed: its acceptance commands are not run, and its work is not called verified. */
import { expect, it } from 'vitest';
import { runBrief } from '../../src/views/brief/run-brief.ts';
import { doneText, isTrouble } from '../../src/views/brief/here-text.ts';
import { runReport } from '../../src/views/run/run-report.ts';
import { statusText } from '../../src/views/run/status-text.ts';
import type { TaskState } from '../../src/core/state/task-state.ts';
import { conducted, delegated, reportOf } from '../support/conducted.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

it('work whose commands were not run is degraded, and the run says once why and how to allow them', async () => {
  const run = await conducted(folder(), '', { accept: '`false`', confirmed: 'none' });
  for (const [task, file] of [
    ['1.1', 'src/a.txt'],
    ['1.2', 'src/b.txt'],
  ] as const) {
    const { agent } = await delegated(run, task, file);
    const text = reportOf(run.run, task, file).replace('The file is there', 'C1: the file is there');
    await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: text });
  }
  const state = await run.state();
  const task = state.tasks.get('1.1') as TaskState;
  expect(doneText(task)).toBe('1.1 completed, degraded (commands-not-run): 1 file +1 −0');
  expect(isTrouble(task)).toBe(false);
  expect(state.tasks.get('1.2')?.attempt?.verification?.verdict).toBe('verified');
  const report = runReport(state);
  expect(report.tasks[0]).toMatchObject({ degraded: ['commands-not-run'], verification: { verdict: 'degraded' } });
  const brief = runBrief(report);
  expect(brief).toContain('verified="1/2"');
  expect(brief.split('1 command of the plan (no person has confirmed it')).toHaveLength(2);
  expect(brief).not.toContain('commands-not-run');
  expect(statusText(report, 0)).toMatch(
    /not run: 1 command of the plan \(no person has confirmed it; `divisi run plan\.md`/,
  );
});
