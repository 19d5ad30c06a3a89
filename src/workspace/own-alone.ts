/** Own alone: whether a file or folder is this user's, and nobody else can write to it. Others could have put there what they like. */
import { statSync, type Stats } from 'node:fs';
import { divisiError } from '../base/error.ts';

export function isOwnAlone({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean {
  // Windows has neither.
  if (process.getuid === undefined) return true;
  return uid === process.getuid() && (mode & 0o022) === 0;
}

const safe = new Set<string>();

/** Refuses state that others may have written; what is missing is fine. Looks at each path once per process. */
export function refuseUnsafeState(paths: readonly string[]): void {
  for (const path of paths) {
    if (safe.has(path)) continue;
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return;
    if (!isOwnAlone(facts)) {
      throw divisiError('STATE_UNSAFE', {
        message: `${path} is not used: it belongs to another user, or others can write to it`,
        expected: 'a path of this user that nobody else can write to',
        got: `owner ${facts.uid}, mode ${(facts.mode & 0o777).toString(8)}`,
        next: `If it is yours: chmod go-w ${path}. Else name a folder of your own in DIVISI_STATE.`,
        ids: { file: path },
      });
    }
    safe.add(path);
  }
}
