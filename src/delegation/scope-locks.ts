/**
 * Scope locks: tasks with overlapping scopes never hold their locks at the same time. Two scopes overlap when a path
 * of one equals a path of the other or contains it. Each operation takes as many steps as the paths have parts.
 *
 * A holder locks its whole scope at once or nothing, so holders never wait for one another.
 */

export interface ScopeLocks {
  /** Holders by locked path. The root of the project is the empty path. */
  readonly held: Map<string, string>;
  /** For every path above a locked one, the holders of locks below it. */
  readonly below: Map<string, Set<string>>;
}

export function newLocks(): ScopeLocks {
  return { held: new Map(), below: new Map() };
}

/** From the root down to the path itself: `a/b` → '', 'a', 'a/b'. */
function chainOf(path: string): string[] {
  if (path === '.') return [''];
  const chain = [''];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) chain.push(path.slice(0, at));
  chain.push(path);
  return chain;
}

/** The holder of a lock that conflicts with this scope; undefined if it is free. */
export function conflictingHolder(locks: ScopeLocks, scope: readonly string[]): string | undefined {
  for (const path of scope) {
    const chain = chainOf(path);
    for (const part of chain) {
      const holder = locks.held.get(part);
      if (holder !== undefined) return holder;
    }
    const [below] = locks.below.get(chain.at(-1) ?? '') ?? [];
    if (below !== undefined) return below;
  }
  return undefined;
}

/** Assumes that the scope is free. */
export function hold(locks: ScopeLocks, holder: string, scope: readonly string[]): void {
  for (const path of scope) {
    const chain = chainOf(path);
    locks.held.set(chain.at(-1) ?? '', holder);
    for (const above of chain.slice(0, -1)) {
      const below = locks.below.get(above);
      if (below === undefined) locks.below.set(above, new Set([holder]));
      else below.add(holder);
    }
  }
}

export function release(locks: ScopeLocks, holder: string, scope: readonly string[]): void {
  for (const path of scope) {
    const chain = chainOf(path);
    const own = chain.at(-1) ?? '';
    if (locks.held.get(own) === holder) locks.held.delete(own);
    for (const above of chain.slice(0, -1)) {
      const below = locks.below.get(above);
      below?.delete(holder);
      if (below?.size === 0) locks.below.delete(above);
    }
  }
}

/** Sorted, without paths below another one: equal scopes are written the same way. */
export function minimalScope(scope: readonly string[]): string[] {
  if (scope.length < 2) return [...scope];
  const paths = new Set(scope);
  if (paths.has('.')) return ['.'];
  return [...paths]
    .filter(
      (path) =>
        !chainOf(path)
          .slice(0, -1)
          .some((above) => paths.has(above)),
    )
    .toSorted((one, other) => (one < other ? -1 : 1));
}
