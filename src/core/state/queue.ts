/** Queue: first in, first out, in constant time. */

export interface Queue<T> {
  items: T[];
  /** Index of the first item; earlier ones have been taken. */
  head: number;
}

/** Created with its first items: an array that grows from empty reserves room for many. */
export function newQueue<T>(...items: T[]): Queue<T> {
  return { items, head: 0 };
}

export function push<T>(queue: Queue<T>, item: T): void {
  queue.items.push(item);
}

export function take<T>(queue: Queue<T>): T | undefined {
  if (queue.head === queue.items.length) return undefined;
  const item = queue.items[queue.head];
  queue.head += 1;
  // Taken items are dropped in large chunks, so each item is moved a constant number of times.
  if (queue.head >= 64 && queue.head * 2 > queue.items.length) {
    queue.items = queue.items.slice(queue.head);
    queue.head = 0;
  }
  return item;
}

export function sizeOf(queue: Queue<unknown>): number {
  return queue.items.length - queue.head;
}

export function clear(queue: Queue<unknown>): void {
  queue.items = [];
  queue.head = 0;
}
