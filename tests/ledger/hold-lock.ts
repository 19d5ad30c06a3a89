/** A process that has the lock of a file that is no ledger yet: `node hold-lock.ts FILE MILLISECONDS`. Prints when it has it. */
import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const [file = '', time = '0'] = process.argv.slice(2);
const db = new DatabaseSync(file);
db.exec('create table brief(x); drop table brief; begin immediate');
writeSync(1, 'locked\n');
setTimeout(() => {
  db.exec('commit');
  db.close();
}, Number(time));
