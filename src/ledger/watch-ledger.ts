/**
 * Reports when the ledger may have changed: immediately through the file system, and within a second in any case,
 * because file watchers miss events. SQLite's change counter filters out false alarms.
 */
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Connection, connectReader, inMemory } from './connection.ts';
import { pragma } from './pragma.ts';

export interface WatchTimes {
  /** Milliseconds between two polls while the file system reports nothing. */
  readonly poll?: number;
  /** Milliseconds between a file event and the check: the event comes while the commit is still being written. */
  readonly settle?: number;
}

/**
 * Runs until the signal is aborted and keeps the process alive until then. A ledger that appears, is replaced or
 * becomes unreadable counts as changed: the next reader finds out. A ledger in memory is never changed by another
 * process.
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
      // A change in between may have been missed.
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

/** Null while there is no folder or no way to watch it: polling is enough. */
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
  /** Whether anything changed since the last call; false the first time. */
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
