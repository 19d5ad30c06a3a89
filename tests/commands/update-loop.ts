/**
 * A process that changes tasks until it is ended: `node update-loop.ts PROJECT WHO TASKS`. Prints what the task list has acknowledged, then brings
 * the files in sync, and so on. What it is warned of is printed with `warning` in front.
 */
import { defined } from '../../src/base/defined.ts';
import { writeSync } from 'node:fs';
import { syncViews } from '../../src/commands/sync-views.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { ledgerFile } from '../../src/workspace/places.ts';

const [project = '', who = '', tasks = '1'] = process.argv.slice(2);
const ledger = openLedger(ledgerFile(project));
const statuses = ['blocked', 'implementing', 'partial'] as const;
for (let step = 0; ; step += 1) {
  const number = 1 + (step % Number(tasks));
  const status = ledger.taskList.task(number)?.status;
  const next = statuses.find((one) => one !== status && !(one === 'partial' && status === 'blocked'));
  const effort = `${who} ${step}`;
  ledger.taskList.change(number, { effort, ...defined({ status: next }) }, { by: 'command' });
  writeSync(1, `${number} ${effort}\n`);
  await syncViews(project, ledger, (what) => writeSync(1, `warning ${what}\n`));
}
