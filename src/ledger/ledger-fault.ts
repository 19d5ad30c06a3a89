/**
 * Maps SQLite's errors to four error codes. Everything that touches the ledger's file goes through `guarded`. Other
 * errors pass unchanged: they are bugs.
 */
import { DivisiError, divisiError } from '../base/error.ts';

export function guarded<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw ledgerFault(file, error);
  }
}

function ledgerFault(file: string, error: unknown): unknown {
  if (error instanceof DivisiError || !(error instanceof Error)) return error;
  switch (sortOf(error)) {
    case 'corrupt':
      return ledgerCorrupt(file, error.message, error);
    case 'full':
      return divisiError('LEDGER_FULL', {
        message: `no space left on the disk for the ledger ${file}`,
        got: error.message,
        next: 'Free some disk space and try again. Recorded events are safe; the ones being written are not recorded.',
        retryable: true,
        ids: { file },
        cause: error,
      });
    case 'busy':
      return ledgerUnwritable(file, 'another process kept it locked for too long', error);
    case 'unwritable':
      return ledgerUnwritable(file, error.message, error);
    case 'other':
      return error;
  }
}

/** The file is left as it is, so that whatever can be recovered from it can be recovered. */
export function ledgerCorrupt(file: string, what: string, cause?: unknown): DivisiError {
  return divisiError('LEDGER_CORRUPT', {
    message: `the ledger ${file} is damaged: ${what}`,
    next: `Nothing was changed. Restore a backup, or recover what is readable with: sqlite3 ${file} .recover`,
    ids: { file },
    cause,
  });
}

export function ledgerUnwritable(file: string, why: string, cause?: unknown): DivisiError {
  return divisiError('LEDGER_UNWRITABLE', {
    message: `the ledger ${file} cannot be used: ${why}`,
    next: 'Check that its folder exists and is writable by this user, then try again.',
    retryable: true,
    ids: { file },
    cause,
  });
}

export function ledgerNewer(file: string, got: string, expected: string): DivisiError {
  return divisiError('LEDGER_NEWER', {
    message: `the ledger ${file} was created by a newer Divisi: it has ${got}`,
    expected,
    got,
    next: 'Use the newer version of Divisi for this project; nothing was changed.',
    ids: { file },
  });
}

type Sort = 'corrupt' | 'full' | 'busy' | 'unwritable' | 'other';

/** By SQLite's primary result code: the low byte of the reported one. */
const sqliteSorts: Readonly<Record<number, Sort>> = {
  3: 'unwritable', // PERM
  5: 'busy', // BUSY
  6: 'busy', // LOCKED
  8: 'unwritable', // READONLY
  10: 'unwritable', // IOERR
  11: 'corrupt', // CORRUPT
  13: 'full', // FULL
  14: 'unwritable', // CANTOPEN
  15: 'busy', // PROTOCOL: lost the race for the write-ahead log's lock many times
  26: 'corrupt', // NOTADB
};

/** IOERR_SHMSIZE: the index of the write-ahead log could not grow, which only happens on a full disk. */
const noRoomForIndex = 10 | (19 << 8);

const systemSorts: Readonly<Record<string, Sort>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EACCES: 'unwritable',
  EEXIST: 'unwritable',
  EIO: 'unwritable',
  EISDIR: 'unwritable',
  ENOENT: 'unwritable',
  ENOTDIR: 'unwritable',
  EPERM: 'unwritable',
  EROFS: 'unwritable',
};

function sortOf(error: Error): Sort {
  const code = sqliteCode(error);
  if (code === undefined) return ('code' in error && systemSorts[String(error.code)]) || 'other';
  if (code === noRoomForIndex) return 'full';
  // A ledger by its id that lacks its tables.
  if (code === 1 && /^no such (table|column)/.test(error.message)) return 'corrupt';
  return sqliteSorts[code & 0xff] ?? 'other';
}

/** SQLite's extended result code, if the error is one of SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}
