/** Lazy: computes a value on first use and keeps it. A schema takes longer to build than a hook takes to run without it. */
export function lazy<T>(make: () => T): () => T {
  let kept: { readonly it: T } | undefined;
  return () => (kept ??= { it: make() }).it;
}
