/** A ledger that something other than Divisi has written: that of a real run, with what an attacker wants in its events. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ledgerFile } from '../../src/workspace/places.ts';

/** An event as the ledger has it. */
export type Body = Record<string, unknown> & { readonly kind: string };

/** Rewrites each event of a ledger in place. */
export function forgeEvents(file: string, forge: (event: Body) => void): void {
  const db = new DatabaseSync(file);
  const rows = db.prepare('select run, seq, body from events').all();
  const update = db.prepare('update events set body = ? where run = ? and seq = ?');
  for (const { run, seq, body } of rows) {
    const event = JSON.parse(String(body)) as Body;
    forge(event);
    update.run(JSON.stringify(event), String(run), Number(seq));
  }
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
}

/** Puts the ledger of `from` where another project or its clone has one. */
export function plantLedger(from: string, at: string): void {
  const db = new DatabaseSync(ledgerFile(from));
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
  mkdirSync(dirname(at), { recursive: true });
  copyFileSync(ledgerFile(from), at);
}
