/** Performs the steps of `ledger-disk.test.ts` on a disk that only this process sees: `node on-disk.ts WHAT FOLDER [BATCH]`. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DivisiError } from '../../src/base/error.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { alive, aRun, created, holder, registered } from './sample-events.ts';

const [what, folder = '', batch = '1'] = process.argv.slice(2);
const file = join(folder, 'ledger.db');

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return error instanceof DivisiError ? error.code : String(error);
  }
}

function fill(): void {
  const run = aRun();
  // Taken away again at the end, to see that the ledger continues once there is room.
  writeFileSync(join(folder, 'ballast'), 'x'.repeat(100_000));
  const ledger = openLedger(file);
  const lease = ledger.take(run, holder(1), alive);
  lease.append([created(run)]);
  const events = (): ReturnType<typeof registered>[] =>
    Array.from({ length: Number(batch) }, (_, more) => registered(lease.head + more));
  try {
    for (;;) lease.append(events());
  } catch (error) {
    console.log(error instanceof DivisiError ? `${error.code}\n${error.retryable}` : `${String(error)}\n`);
  }
  console.log(lease.head);
  const reader = openLedger(file, { readOnly: true });
  const seqs = [...reader.read(run)].map(({ seq }) => seq);
  reader.close();
  console.log(seqs.length);
  console.log(seqs.every((seq, at) => seq === at + 1));
  rmSync(join(folder, 'ballast'));
  console.log(lease.append(events()));
  ledger.close();
}

if (what === 'fill') fill();
else if (what === 'open') console.log(codeOf(() => openLedger(file)));
else {
  console.log(codeOf(() => openLedger(file)));
  const reader = openLedger(file, { readOnly: true });
  console.log(reader.runs().flatMap(({ run }) => [...reader.read(run)]).length);
  console.log(codeOf(() => openLedger(join(folder, 'new/ledger.db'))));
}
