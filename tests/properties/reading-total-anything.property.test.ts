import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { anything, forEachContract } from './arbitrary-return.ts';
import { runs } from './runs.ts';
import { assertTotal } from './total.ts';

describe('reading is total', () => {
  it('for any text', () => {
    const cases = forEachContract(anything);
    const total = fc.property(cases, ([contract, text, other]) => assertTotal(contract, text, other));
    fc.assert(total, runs);
  });
});
