import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { damagedReturn, forEachContract } from './arbitrary-return.ts';
import { runs } from './runs.ts';
import { assertTotal } from './total.ts';

describe('reading is total', () => {
  it('for returns that something happened to', () => {
    const cases = forEachContract(damagedReturn);
    const total = fc.property(cases, ([contract, text, other]) => assertTotal(contract, text, other));
    fc.assert(total, runs);
  });
});
