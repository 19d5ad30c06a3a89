/**
 * FileLock: a lock between processes that the system releases when its holder dies, built on SQLite's own lock of an
 * empty file. Waiters of one process queue up, so that they do not wake each other for nothing.
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, divisiError } from '../base/error.ts';
import { sqliteCode } from './ledger-fault.ts';

/** The last waiter for each file. */
const lines = new Map<string, Promise<unknown>>();

export interface LockPatience {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait for another process, which holds the lock only briefly. */
  readonly patience?: number;
}

/** Must not be called inside `work` for the same file: it would wait for itself. */
export async function withFileLock<T>(file: string, work: () => Promise<T>, wait: LockPatience = {}): Promise<T> {
  const before = lines.get(file) ?? Promise.resolve();
  const turn = before.then(() => locked(file, work, wait));
  const settled = turn.then(
    () => undefined,
    () => undefined,
  );
  lines.set(file, settled);
  try {
    return await turn;
  } finally {
    if (lines.get(file) === settled) lines.delete(file);
  }
}

async function locked<T>(
  file: string,
  work: () => Promise<T>,
  { signal, patience = 60_000 }: LockPatience,
): Promise<T> {
  signal?.throwIfAborted();
  const db = opened(file);
  try {
    for (const until = performance.now() + patience; !took(file, db);) {
      if (performance.now() > until) throw held(file, patience);
      // Random delays, so that waiters do not collide again and again.
      await sleep(2 + Math.random() * 10, undefined, signal ? { signal } : {});
    }
    return await work();
  } finally {
    // Nothing was written: closing the file releases the lock.
    db.close();
  }
}

function opened(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (error) {
    throw unusable(file, error);
  }
}

function took(file: string, db: DatabaseSync): boolean {
  try {
    db.exec('begin immediate');
    return true;
  } catch (error) {
    if (((sqliteCode(error) ?? 0) & 0xff) === 5) return false;
    throw unusable(file, error);
  }
}

function held(file: string, patience: number): Error {
  return divisiError('REPOSITORY_LOCKED', {
    message: `another process has held the lock ${file} for ${Math.round(patience / 1000)} s`,
    next: 'Check for another Divisi that hangs on this repository, end it, then try again.',
    retryable: true,
    ids: { file },
  });
}

function unusable(file: string, cause: unknown): Error {
  return divisiError('REPOSITORY_LOCKED', {
    message: `the lock ${file} cannot be used: ${messageOf(cause)}`,
    next: 'Check that its folder exists and is writable by this user, then try again.',
    retryable: true,
    ids: { file },
    cause,
  });
}
