/** Tells whether a path is covered by others: a path covers itself and everything below it, `.` the whole project. */
import { foldersOf } from '../../base/paths.ts';

/** Called once per change; the cost grows with the depth of the path, not with the number of paths. */
export function coverOf(paths: Iterable<string>): (path: string) => boolean {
  const covering = new Set(paths);
  if (covering.has('.')) return () => true;
  return (path) => covering.has(path) || foldersOf(path).some((folder) => covering.has(folder));
}
