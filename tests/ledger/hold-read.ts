/** A process that begins to read and never ends: `node hold-read.ts FILE`. Prints how many events it sees, then waits. */
import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const db = new DatabaseSync(process.argv[2] ?? '', { readOnly: true });
db.exec('begin');
const count = () => String(db.prepare('select count(*) as count from events').get()?.['count']);
writeSync(1, `${count()}\n`);
process.stdin.resume();
setInterval(() => writeSync(1, `${count()}\n`), 20);
