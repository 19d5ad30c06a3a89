/** Tests of linear time, by wire format: one file each, to keep every core busy. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/contracts/field.ts';
import { read } from '../../src/contracts/read/read.ts';
import type { WireFormat } from '../../src/contracts/wire/raw.ts';
import { contracts } from './arbitrary-return.ts';
import { framesOf, hostileText, timeFault, units } from './linear-time.ts';
import { count, isLong } from './runs.ts';

const size = count(2 ** 17, 2 ** 20);

/** Contracts with every type of field get hostile text everywhere, the others nothing but hostile text. */
const tried = ['worker-report', 'structured-return', 'architect', 'own-block'];

const all = contracts.flatMap((contract) =>
  Object.entries(framesOf(contract))
    .map(([where, frame]) => ({ contract, name: contract.name, where, frame }))
    .filter(({ name, where }) => tried.includes(name) || (isLong && where === 'everything')),
);

export function testLinearTime(wireFormat: WireFormat): void {
  const cases = all.filter(({ contract }) => contract.wireFormat === wireFormat);

  describe(`reading a ${wireFormat} takes linear time`, () => {
    it.each(cases)('for $name with hostile text as $where', ({ contract, frame }) => {
      const faults = units.values().map((unit) => timeFault(contract, frame, unit, size));
      expect(faults.find((fault) => fault !== undefined)).toBeUndefined();
    });

    it('for any mixture', () => {
      const mixture = fc.array(fc.constantFrom(...units), { minLength: 2, maxLength: 5 }).map((some) => some.join(''));
      const linear = fc.property(fc.constantFrom(...cases), mixture, ({ contract, frame }, unit) => {
        expect(timeFault(contract, frame, unit, size)).toBeUndefined();
      });
      fc.assert(linear, { numRuns: count(10, 100) });
    });

    // A pattern that remembers a way back for every character it has passed throws on some millions of them.
    const single = [
      ' ',
      '\n',
      'x',
      ...(isLong ? ['\t', '`', '~', '-', '"', "'", '[', '#', ':', '|', 'a,', 'ab '] : []),
    ];
    const largest = cases.filter(({ name }) => tried.includes(name));
    it.each(largest)('and does not throw at the largest size for $name as $where', ({ contract, frame }) => {
      for (const unit of single) {
        // Otherwise a reading that is not linear would take hours below.
        expect(timeFault(contract, frame, unit, 2 ** 17)).toBeUndefined();
        expect(() => read(contract, frame(hostileText(unit, limits.input - 1000)))).not.toThrow();
      }
    });
  });
}
