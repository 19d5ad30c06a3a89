/** What is loaded from here on, Node keeps compiled for the next hook. Whoever can write there decides what runs: it is the user's alone. */
import { mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { isAbsolute, join } from 'node:path';

export function keepCompiled({ XDG_CACHE_HOME: cache = '', HOME: home = '' }: NodeJS.ProcessEnv): void {
  const root = isAbsolute(cache) ? cache : isAbsolute(home) ? join(home, '.cache') : undefined;
  if (root === undefined) return;
  const folder = join(root, 'divisi', 'hooks');
  if (isOwn(folder)) enableCompileCache(folder);
}

/** Without it everything works as well, only slower. */
function isOwn(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}
