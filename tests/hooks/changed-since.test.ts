/** Files of a conducted run that someone changes after their work was verified. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lookAtCheckout } from '../../src/runtime/conducted/conduct-run.ts';
import { runBrief } from '../../src/views/brief/run-brief.ts';
import { runReport } from '../../src/views/run/run-report.ts';
import { statusText } from '../../src/views/run/status-text.ts';
import { type Conducted, conducted, delegated, reportOf } from '../support/conducted.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

async function finished(run: Conducted, task: string, file: string): Promise<void> {
  const { agent } = await delegated(run, task, file);
  await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: reportOf(run.run, task, file) });
}

const change = ({ project }: Conducted, text: string): void => writeFileSync(join(project, 'src/a.txt'), text);

it('the next step of the run finds a verified file that was changed, and that it was changed back', async () => {
  const run = await conducted(folder());
  await finished(run, '1.1', 'src/a.txt');
  change(run, 'late\n');
  expect((await run.state()).drifted).toEqual([]);
  await finished(run, '1.2', 'src/b.txt');
  const state = await run.state();
  expect(state.drifted).toEqual([{ path: 'src/a.txt', task: '1.1', found: 'changed' }]);
  const report = runReport(state);
  expect(statusText(report, 0)).toContain('1.1 Write a file – completed, verified, then changed: src/a.txt');
  expect(runBrief(report)).toContain('verified="1/2"');
  expect(runBrief(report)).toContain('verified, then changed: src/a.txt');
  change(run, 'written\n');
  await lookAtCheckout(run.run, { project: run.project, environment: process.env });
  expect((await run.state()).drifted).toEqual([]);
});

it('a file that git stores with other line ends has not changed', async () => {
  const run = await conducted(folder());
  writeFileSync(join(run.project, '.gitattributes'), '*.txt text eol=crlf\n');
  const { agent } = await delegated(run, '1.1', 'src/a.txt');
  change(run, 'written\r\n');
  await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: reportOf(run.run, '1.1', 'src/a.txt') });
  await lookAtCheckout(run.run, { project: run.project, environment: process.env });
  expect((await run.state()).drifted).toEqual([]);
});
