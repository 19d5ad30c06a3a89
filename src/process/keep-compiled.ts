/** Keeps compiled code for the next start, in a cache folder that only the user can write to: code in it is executed. */
import { mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { isAbsolute, join } from 'node:path';

/** Covers modules loaded after the call. */
export function keepCompiled(environment: NodeJS.ProcessEnv): void {
  const { NODE_COMPILE_CACHE: chosen, XDG_CACHE_HOME: cache = '', HOME: home = '' } = environment;
  // Node has switched it on already.
  if (chosen !== undefined) return;
  const root = isAbsolute(cache) ? cache : isAbsolute(home) ? join(home, '.cache') : undefined;
  if (root === undefined) return;
  const folder = join(root, 'divisi', 'compiled');
  if (isOwn(folder)) enableCompileCache(folder);
}

/** Without the cache everything works, only slower. */
function isOwn(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}
