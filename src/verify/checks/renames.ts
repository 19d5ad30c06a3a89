/**
 * Matches claimed renames with changes. Changes list only deleted and added files; a claim names one side of a
 * rename, and this file finds the other.
 */
import { posix } from 'node:path';
import { coverOf } from './cover.ts';
import { spelled } from './spelled.ts';
import type { WorkClaims, WorkChange } from '../work.ts';

/**
 * Paths in `open` that are the other side of a claimed rename, at most as many as are missing: files with similar
 * content first, then files with the same name. Any other missing file is a deletion.
 */
export function renameExcuses(
  touched: WorkClaims['touched'],
  changes: readonly WorkChange[],
  open: readonly WorkChange[],
  renames: ReadonlyMap<string, string>,
): Set<string> {
  const isRenamed = coverOf(touched.filter(({ action }) => action === 'rename').map(({ path }) => path));
  const renamed = changes.filter(({ path }) => isRenamed(path));
  const added = renamed.filter(({ change }) => change === 'added');
  const deleted = renamed.filter(({ change }) => change === 'deleted');
  if (added.length === deleted.length) return new Set();
  const [known, wanted] = added.length > deleted.length ? [added, 'deleted'] : [deleted, 'added'];
  const missing = Math.abs(added.length - deleted.length);
  const likeness = likenessTo(new Set(known.map(({ path }) => path)), renames);
  const candidates = open
    .filter(({ change }) => change === wanted)
    .map(({ path }) => ({ path, likeness: likeness(path) }))
    .filter((one) => one.likeness > 0)
    .toSorted((one, other) => other.likeness - one.likeness);
  return new Set(candidates.slice(0, missing).map(({ path }) => path));
}

function likenessTo(known: ReadonlySet<string>, renames: ReadonlyMap<string, string>): (path: string) => number {
  const names = new Set([...known].map((path) => posix.basename(path)));
  const others = new Set<string>();
  for (const [to, from] of renames) {
    if (known.has(spelled(to))) others.add(spelled(from));
    if (known.has(spelled(from))) others.add(spelled(to));
  }
  return (path) => {
    if (others.has(path)) return 2;
    return names.has(posix.basename(path)) ? 1 : 0;
  };
}
