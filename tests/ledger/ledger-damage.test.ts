/** Files that are not what they should be: each is refused with what to do, and left as it was. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { DivisiError } from '../../src/base/error.ts';
import type { RunId } from '../../src/base/ids.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { alive, aRun, created, holder, registered } from './sample-events.ts';

const folder = temporaryFolders();

function errorOf(work: () => unknown): DivisiError {
  try {
    work();
  } catch (error) {
    if (error instanceof DivisiError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function fullLedger(): { file: string; run: RunId } {
  const file = join(folder(), 'ledger.db');
  const run = aRun();
  const ledger = openLedger(file);
  const lease = ledger.take(run, holder(1), alive);
  lease.append([created(run), ...Array.from({ length: 2000 }, (_, at) => registered(at))]);
  ledger.close();
  return { file, run };
}

/** Opens and reads everything, as a writer and as a reader; both must fail in the same way. */
function codesOf(file: string, run: RunId): string[] {
  return ([{}, { readOnly: true }] as const).map(
    (options) =>
      errorOf(() => {
        const ledger = 'readOnly' in options ? openLedger(file, options) : openLedger(file);
        try {
          return [...ledger.read(run)];
        } finally {
          ledger.close();
        }
      }).code,
  );
}

describe('a damaged file', () => {
  it.each<[string, (file: string) => void]>([
    ['a text', (file) => writeFileSync(file, 'This is not a database. '.repeat(500))],
    ['a short text', (file) => writeFileSync(file, 'hello')],
    ['cut in the middle', (file) => truncateSync(file, Math.floor(readFileSync(file).length / 8192) * 4096)],
    ['cut within a page', (file) => truncateSync(file, 5000)],
    ['its header overwritten', (file) => overwrite(file, 0, 100)],
    ['pages overwritten', (file) => overwrite(file, 3 * 4096, 40 * 4096)],
  ])('%s is LEDGER_CORRUPT and stays as it is', (_what, damage) => {
    const { file, run } = fullLedger();
    damage(file);
    const before = readFileSync(file);
    expect(codesOf(file, run)).toEqual(['LEDGER_CORRUPT', 'LEDGER_CORRUPT']);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('names the file and the way to save it', () => {
    const file = join(folder({ 'ledger.db': 'x'.repeat(9000) }), 'ledger.db');
    const error = errorOf(() => openLedger(file));
    expect(error).toMatchObject({ code: 'LEDGER_CORRUPT', ids: { file }, retryable: false });
    expect(error.message).toContain(file);
    expect(error.next).toContain(`sqlite3 ${file} .recover`);
  });

  it('a database of another program is refused, and not a byte of it changes', () => {
    const file = join(folder(), 'ledger.db');
    const other = new DatabaseSync(file);
    other.exec('create table notes(text)');
    other.close();
    const before = readFileSync(file);
    expect(codesOf(file, aRun())).toEqual(['LEDGER_CORRUPT', 'LEDGER_CORRUPT']);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('an empty file becomes a ledger', () => {
    const file = join(folder({ 'ledger.db': '' }), 'ledger.db');
    expect(openLedger(file, { readOnly: true }).runs()).toEqual([]);
    const ledger = openLedger(file);
    expect(ledger.runs()).toEqual([]);
    ledger.close();
  });

  it('a ledger without a table is damaged', () => {
    const { file, run } = fullLedger();
    change(file, 'drop table events');
    expect(codesOf(file, run)).toEqual(['LEDGER_CORRUPT', 'LEDGER_CORRUPT']);
  });
});

describe('a damaged event', () => {
  it.each([
    ['no JSON', `update events set body = '{"task":' where seq = 700`, 'event 700 '],
    ['empty', `update events set body = '' where seq = 700`, 'event 700 '],
    ['two in one', `update events set body = '{},{}' where seq = 700`, 'event 700 '],
    ['a list', `update events set body = '[]' where seq = 700`, 'event 700 '],
    ['text that only fits its neighbour', `update events set body = '{"a":[1' where seq = 700`, 'event 700 '],
    ['missing', `delete from events where seq = 700`, 'event 700 of'],
    ['missing at the start', `delete from events where seq = 1`, 'event 1 of'],
  ])('%s is LEDGER_CORRUPT with its number', (_what, sql, words) => {
    const { file, run } = fullLedger();
    change(file, sql);
    const ledger = openLedger(file, { readOnly: true });
    const error = errorOf(() => [...ledger.read(run)]);
    expect(error.code).toBe('LEDGER_CORRUPT');
    expect(error.message).toContain(words);
    ledger.close();
  });
});

describe('what a newer version wrote', () => {
  it.each([
    ['a later layout', 'pragma user_version = 99'],
    ['a kind of event', `update events set body = json_set(body, '$.kind', 'task.sung') where seq = 3`],
    ['a version of an event', `update events set body = json_set(body, '$.version', 2) where seq = 3`],
  ])('%s is LEDGER_NEWER', (_what, sql) => {
    const { file, run } = fullLedger();
    change(file, sql);
    const before = readFileSync(file);
    expect(codesOf(file, run)).toEqual(['LEDGER_NEWER', 'LEDGER_NEWER']);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

function change(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

function overwrite(file: string, from: number, to: number): void {
  const bytes = readFileSync(file);
  for (let at = from; at < to; at += 1) bytes[at] = (at * 37 + 11) % 256;
  writeFileSync(file, bytes);
}
