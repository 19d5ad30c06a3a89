/**
 * Tells when the ledger may have changed, whoever wrote to it: at once through the file system, and within a second in any
 * case, because file watchers miss things. Told too often rather than too seldom, but not for nothing: SQLite's counter of
 * changes decides.
 */
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Connection, connectReader, inMemory } from './connection.ts';
import { pragma } from './pragma.ts';

export interface WatchTimes {
  /** Milliseconds between two looks when the file system says nothing. */
  readonly poll?: number;
  /** Milliseconds from a sign to the look: the sign comes while the commit is still being written. */
  readonly settle?: number;
}

/**
 * Until the signal is aborted; keeps the process alive until then. A ledger that appears, is exchanged or can no longer be
 * read counts as changed: whoever reads it then finds out. One in memory is never changed by anyone else.
 */
export function watchLedger(
  file: string,
  onChange: () => void,
  signal: AbortSignal,
  { poll = 1000, settle = 10 }: WatchTimes = {},
): void {
  if (signal.aborted || file === inMemory) return;
  const counter = changeCounter(file);
  let watcher: FSWatcher | null = null;
  let settling: NodeJS.Timeout | undefined;
  let signAgain = false;

  function look(): void {
    if (signal.aborted) return;
    watcher ??= watchFolder(file, sign);
    if (counter.changed()) onChange();
  }

  function sign(): void {
    signAgain = settling !== undefined;
    if (signal.aborted || signAgain) return;
    settling = setTimeout(() => {
      settling = undefined;
      look();
      // What came in between may not have been there to be seen.
      if (signAgain) sign();
    }, settle);
  }

  counter.changed();
  watcher = watchFolder(file, sign);
  const polling = setInterval(look, poll);
  signal.addEventListener(
    'abort',
    () => {
      clearInterval(polling);
      clearTimeout(settling);
      watcher?.close();
      counter.close();
    },
    { once: true },
  );
}

/** Null while there is no folder, or no way to watch it: the poll is enough. */
function watchFolder(file: string, sign: () => void): FSWatcher | null {
  if (!existsSync(dirname(file))) return null;
  try {
    const watcher = watch(dirname(file), (_what, name) => {
      if (name === null || name.startsWith(basename(file))) sign();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}

interface ChangeCounter {
  /** Whether anything differs from the last time this was asked; the first time, nothing does. */
  changed(): boolean;
  close(): void;
}

function changeCounter(file: string): ChangeCounter {
  let connection: Connection | null = null;
  let last: string | undefined;

  function current(): string {
    const inode = statSync(file, { throwIfNoEntry: false })?.ino;
    if (connection && last !== undefined && !last.startsWith(`${inode} `)) close();
    connection ??= connectReader(file);
    return connection === null ? 'nothing' : `${inode} ${pragma(connection.db, 'data_version')}`;
  }

  function close(): void {
    connection?.db.close();
    connection = null;
  }

  return {
    changed() {
      const before = last;
      try {
        last = current();
      } catch {
        last = 'unreadable';
      }
      return before !== undefined && last !== before;
    },
    close,
  };
}
