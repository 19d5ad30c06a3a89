/** Which paths lie at or below others: a path covers itself and everything below it, `.` covers the whole project. */
import { foldersOf } from '../../base/paths.ts';

/** Paths are asked as often as there are changes; the answer costs as many steps as a path has parts. */
export function coverOf(paths: Iterable<string>): (path: string) => boolean {
  const covering = new Set(paths);
  if (covering.has('.')) return () => true;
  return (path) => covering.has(path) || foldersOf(path).some((folder) => covering.has(folder));
}
