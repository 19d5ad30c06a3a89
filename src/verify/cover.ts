/** Which paths lie at or below others: a path covers itself and everything below it, `.` covers the whole project. */

/** Paths are asked as often as there are changes; the answer costs as many steps as a path has parts. */
export function coverOf(paths: Iterable<string>): (path: string) => boolean {
  const covering = new Set(paths);
  if (covering.has('.')) return () => true;
  return (path) => covering.has(path) || foldersOf(path).some((folder) => covering.has(folder));
}

/** `a/b/c` → `a`, `a/b`. */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}
