/**
 * A map that is empty is exchanged for a new one. V8 chains the tables that a map has outgrown: once one of them counts as old,
 * everything that goes through the map stays in memory until the next full collection, which is half of what 100,000 tasks
 * leave behind.
 */
export function freshMap<K, V>(map: Map<K, V>): Map<K, V> {
  return map.size === 0 ? new Map() : map;
}
