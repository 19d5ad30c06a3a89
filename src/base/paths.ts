/** Paths: checks and normalises the paths an agent names. Accepts relative paths inside the project; existence is checked by verification. */

export type PathFault = 'empty' | 'absolute' | 'outside' | 'control character';

/** Checks the normal form as well: `./~/x` and `./C:/x` would otherwise normalise to an absolute path. */
export function pathFault(path: string): PathFault | undefined {
  const normal = normalPath(path);
  return faultAsWritten(path) ?? (normal === path ? undefined : faultAsWritten(normal));
}

/** Treats backslashes as separators: a return may come from another system. U+FFFD replaces a NUL or half a character. */
function faultAsWritten(path: string): PathFault | undefined {
  if (path === '' || path.trim() !== path) return 'empty';
  // eslint-disable-next-line no-control-regex -- matches control characters on purpose
  if (/[\u0000-\u001f\u007f\ufffd]/.test(path)) return 'control character';
  if (/^(?:[/\\~]|[A-Za-z]:|[A-Za-z][\w+.-]*:\/\/)/.test(path)) return 'absolute';
  if (path.split(/[/\\]/).includes('..')) return 'outside';
  return undefined;
}

/** `./src//a.ts` → `src/a.ts`. Requires a path without a fault. */
export function normalPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? '.' : parts.join('/');
}

/** True for the folder and everything below it; both in normal form. */
export function liesWithin(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

/** True for a relative path that starts by leaving its folder. */
export function leadsOut(way: string): boolean {
  return way === '..' || /^\.\.[/\\]/.test(way);
}

/** True for a pattern of git: `*`, `?` and `[a-z]` have a meaning. */
export function isPattern(path: string): boolean {
  return /[*?[\]]/.test(path);
}

/** The folders above a path: `a/b/c` → `a`, `a/b`. */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}

/** The relative path from an absolute folder to an absolute path below it; undefined for any other path. */
export function wayFrom(folder: string, path: string): string | undefined {
  const [top, at] = folder.includes('\\') ? [folder.replaceAll('\\', '/'), path.replaceAll('\\', '/')] : [folder, path];
  const start = top.endsWith('/') ? top : `${top}/`;
  return at.startsWith(start) && at.length > start.length ? at.slice(start.length) : undefined;
}
