/** Git is asked for what is gone and what is new, not for renames: a claimed rename names one side, and the other is found here. */
import { posix } from 'node:path';
import { coverOf } from './cover.ts';
import type { Claims, WorkChange } from './work.ts';

/**
 * Paths among `open` that are the other side of a claimed rename, as many as lack their other side. The likeliest come first:
 * the same name elsewhere, then another name in the same folder, then the same ending.
 */
export function renameExcuses(
  touched: Claims['touched'],
  changes: readonly WorkChange[],
  open: readonly WorkChange[],
): Set<string> {
  const isRenamed = coverOf(touched.filter(({ action }) => action === 'rename').map(({ path }) => path));
  const renamed = changes.filter(({ path }) => isRenamed(path));
  const added = renamed.filter(({ change }) => change === 'added');
  const deleted = renamed.filter(({ change }) => change === 'deleted');
  if (added.length === deleted.length) return new Set();
  const [known, wanted] = added.length > deleted.length ? [added, 'deleted'] : [deleted, 'added'];
  const missing = Math.abs(added.length - deleted.length);
  const likeness = likenessTo(known.map(({ path }) => path));
  const candidates = open
    .filter(({ change }) => change === wanted)
    .map(({ path }) => ({ path, likeness: likeness(path) }))
    .filter((one) => one.likeness > 0)
    .toSorted((one, other) => other.likeness - one.likeness);
  return new Set(candidates.slice(0, missing).map(({ path }) => path));
}

function likenessTo(paths: readonly string[]): (path: string) => number {
  const names = new Set(paths.map((path) => posix.basename(path)));
  const folders = new Set(paths.map((path) => posix.dirname(path)));
  const endings = new Set(paths.map((path) => posix.extname(path)));
  return (path) => {
    if (names.has(posix.basename(path))) return 3;
    if (folders.has(posix.dirname(path))) return 2;
    return endings.has(posix.extname(path)) ? 1 : 0;
  };
}
