/** Paths an agent names: relative, inside the project, nothing else. Whether they exist is verification's business. */

export type PathFault = 'empty' | 'absolute' | 'outside' | 'control character';

/** Asked of the normal form as well: `./~/x` and `./C:/x` would otherwise become what they are not allowed to be. */
export function pathFault(path: string): PathFault | undefined {
  const normal = normalPath(path);
  return faultAsWritten(path) ?? (normal === path ? undefined : faultAsWritten(normal));
}

/**
 * Backslashes count as separators: a return may come from another system than the one that reads it. U+FFFD stands where
 * a NUL or half a character was.
 */
function faultAsWritten(path: string): PathFault | undefined {
  if (path === '' || path.trim() !== path) return 'empty';
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f\ufffd]/.test(path)) return 'control character';
  if (/^(?:[/\\~]|[A-Za-z]:|[A-Za-z][\w+.-]*:\/\/)/.test(path)) return 'absolute';
  if (path.split(/[/\\]/).includes('..')) return 'outside';
  return undefined;
}

/** `./src//a.ts` → `src/a.ts`; only for paths without a fault. */
export function normalPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? '.' : parts.join('/');
}

/** Whether a path is a folder, or stands below it; both normal. */
export function liesWithin(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

/** Whether the way from one folder to another begins by leaving it. */
export function leadsOut(way: string): boolean {
  return way === '..' || /^\.\.[/\\]/.test(way);
}

/** What it lies in: `a/b/c` → `a`, `a/b`. */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}
