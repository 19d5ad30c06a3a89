/** A process that appends lines to a worklog while others do the same: `node append-worklog.ts FILE NAME COUNT`. */
import { appendWorklog } from '../../src/workspace/worklog.ts';
import { sampleLine } from './samples.ts';

const [file = '', name = '', count = '0'] = process.argv.slice(2);
for (let at = 0; at < Number(count); at++) {
  await appendWorklog(file, sampleLine({ task_id: name, message: `${at} ${'x'.repeat(200)}` }));
}
