/** Gives package managers a cache of the project's own: they may not write to the user's, which other projects trust. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

export interface PackageCache {
  /** Absolute. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** By variable: the folder in the cache. */
const folders = {
  npm_config_cache: 'npm',
  npm_config_store_dir: 'pnpm',
  YARN_CACHE_FOLDER: 'yarn',
  PIP_CACHE_DIR: 'pip',
  UV_CACHE_DIR: 'uv',
  CARGO_HOME: 'cargo',
  GOMODCACHE: 'go-modules',
  GOCACHE: 'go-build',
  XDG_CACHE_HOME: 'other',
};

/** `state`: the project's state folder. */
export function packageCache(state: string): PackageCache {
  const folder = join(state, 'cache');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const variables = Object.entries(folders).map(([name, at]) => [name, join(folder, at)]);
  return { folder, variables: Object.fromEntries(variables) as Record<string, string> };
}
