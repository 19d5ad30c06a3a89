import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something holds; after a minute and a half, throws what was there instead. */
export async function until<T>(look: () => T, isSo: (seen: T) => boolean): Promise<void> {
  for (const end = Date.now() + 90_000; ;) {
    const seen = look();
    if (isSo(seen)) return;
    if (Date.now() > end) throw new Error(`waited in vain; there is ${JSON.stringify(seen)}`);
    await sleep(20);
  }
}
