import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/contracts/field.ts';
import { read } from '../../src/contracts/read/read.ts';
import { contracts } from './arbitrary-return.ts';
import { framesOf, hostileText, timeFault, units } from './linear-time.ts';
import { count, isLong } from './runs.ts';

const size = isLong ? 4 * 2 ** 20 : 2 ** 17;
const timeout = isLong ? 600_000 : 60_000;

/** Those with every type of field are tried with hostile text everywhere, the others with nothing but hostile text. */
const tried = ['worker-report', 'structured-return', 'architect', 'own-block'];

const cases = contracts.flatMap((contract) =>
  Object.entries(framesOf(contract))
    .map(([where, frame]) => ({ contract, name: contract.name, where, frame }))
    .filter(({ name, where }) => tried.includes(name) || (isLong && where === 'everything')),
);

describe('reading takes linear time', () => {
  it.each(cases)('for $name with hostile text as $where', { timeout }, ({ contract, frame }) => {
    const faults = units.values().map((unit) => timeFault(contract, frame, unit, size));
    expect(faults.find((fault) => fault !== undefined)).toBeUndefined();
  });

  it('for any mixture', { timeout }, () => {
    const mixture = fc.array(fc.constantFrom(...units), { minLength: 2, maxLength: 5 }).map((all) => all.join(''));
    const linear = fc.property(fc.constantFrom(...cases), mixture, ({ contract, frame }, unit) => {
      expect(timeFault(contract, frame, unit, size)).toBeUndefined();
    });
    fc.assert(linear, { numRuns: count(30, 300) });
  });

  // A pattern that remembers a way back for every character it has passed throws on some millions of them.
  const single = [' ', '\n', 'x', ...(isLong ? ['\t', '`', '~', '-', '"', "'", '[', '#', ':', '|', 'a,', 'ab '] : [])];
  const largest = cases.filter(({ name }) => tried.includes(name));
  it.each(largest)('and does not throw at the largest size for $name as $where', { timeout }, ({ contract, frame }) => {
    for (const unit of single) {
      // Without this a reading that is not linear would go on for hours.
      expect(timeFault(contract, frame, unit, 2 ** 17)).toBeUndefined();
      expect(() => read(contract, frame(hostileText(unit, limits.input - 1000)))).not.toThrow();
    }
  });
});
