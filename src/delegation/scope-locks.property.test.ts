import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../tests/properties/runs.ts';
import { hold, conflictingHolder, minimalScope, newLocks, release } from './scope-locks.ts';

const part = fc.constantFrom('a', 'b', 'ab', 'c.ts');
const path = fc.oneof(
  { weight: 1, arbitrary: fc.constant('.') },
  { weight: 9, arbitrary: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')) },
);
const scope = fc.array(path, { minLength: 1, maxLength: 3 }).map(minimalScope);

/** The rule itself, word for word: the same path, or one above the other. */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  const above = (a: string, b: string): boolean => a === '.' || a === b || b.startsWith(`${a}/`);
  return one.some((a) => other.some((b) => above(a, b) || above(b, a)));
}

it('finds a conflicting holder exactly when a held scope overlaps', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(scope, fc.boolean()), { maxLength: 30 }), scope, (steps, asked) => {
      const locks = newLocks();
      const held = new Map<string, readonly string[]>();
      for (const [at, [wanted, letGo]] of steps.entries()) {
        const [first] = held;
        if (letGo && first !== undefined) {
          release(locks, first[0], first[1]);
          held.delete(first[0]);
        }
        if (conflictingHolder(locks, wanted) !== undefined) continue;
        hold(locks, `t${at}`, wanted);
        held.set(`t${at}`, wanted);
      }
      const holder = conflictingHolder(locks, asked);
      expect(holder !== undefined).toBe([...held.values()].some((other) => overlap(asked, other)));
      expect(holder === undefined || overlap(asked, held.get(holder) ?? [])).toBe(true);
      for (const [name, own] of held) release(locks, name, own);
      expect([locks.held.size, locks.below.size]).toEqual([0, 0]);
    }),
    runs,
  );
});

it('keeps the meaning of a scope when it removes nested paths', () => {
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 5 }), scope, (whole, other) => {
      const least = minimalScope(whole);
      expect(overlap(least, other)).toBe(overlap(whole, other));
      expect(minimalScope(whole.toReversed())).toEqual(least);
      expect(least.some((one, at) => least.some((two, then) => at !== then && overlap([one], [two])))).toBe(false);
    }),
    runs,
  );
});
