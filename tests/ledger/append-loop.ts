/**
 * A process that appends until it is ended: `node append-loop.ts FILE RUN BATCH [COUNT]`. Prints the head after each append,
 * so that whatever was printed is acknowledged; a refusal is printed as its code.
 */
import { writeSync } from 'node:fs';
import { DivisiError } from '../../src/base/error.ts';
import { runIdSchema } from '../../src/base/ids.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { alive, created, holder, registered } from './sample-events.ts';

const [file = '', id = '', batch = '1', count = '1000000'] = process.argv.slice(2);
try {
  const ledger = openLedger(file);
  const run = runIdSchema.parse(id);
  const lease = ledger.take(run, holder(process.pid), alive);
  if (lease.head === 0) lease.append([created(run)]);
  for (let at = 0; at < Number(count); at += 1) {
    const head = lease.append(Array.from({ length: Number(batch) }, (_, more) => registered(lease.head + more)));
    writeSync(1, `${head}\n`);
  }
  lease.release();
  ledger.close();
} catch (error) {
  writeSync(1, `${error instanceof DivisiError ? error.code : String(error)}\n`);
}
