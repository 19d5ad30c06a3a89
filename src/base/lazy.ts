/** Made when it is first asked for, and kept: a schema takes longer to make than a hook takes to do without it. */
export function lazy<T>(make: () => T): () => T {
  let kept: { readonly it: T } | undefined;
  return () => (kept ??= { it: make() }).it;
}
