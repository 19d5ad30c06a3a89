import { expect } from 'vitest';
import type { DriverNote } from '../../src/drivers/driver.ts';

/** Checks that no process a driver reported is left. */
export function expectGone({ notes }: { readonly notes: readonly DriverNote[] }): void {
  for (const note of notes) {
    if (note.kind !== 'started' || note.pid === undefined) continue;
    const { pid } = note;
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  }
}
