/** A process that takes a lock and keeps it: `node hold-file-lock.ts FILE MILLISECONDS`. Prints when it has it. */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withFileLock } from '../../src/ledger/file-lock.ts';

const [file = '', time = '0'] = process.argv.slice(2);
await withFileLock(file, async () => {
  writeSync(1, 'locked\n');
  await sleep(Number(time));
});
