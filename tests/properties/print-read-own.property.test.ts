import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { wireFormats } from '../../src/contracts/wire/raw.ts';
import { limits } from '../../src/contracts/field.ts';
import { printValues } from '../../src/contracts/write/print.ts';
import { arbitraryContract } from './arbitrary-contract.ts';
import { arbitraryValues } from './arbitrary-values.ts';
import { assertPrintReadIdentity, valueOptions } from './print-read.ts';
import { runs } from './runs.ts';

describe('print → read is the identity of own contracts', () => {
  it.each(wireFormats)('as %s', (wireFormat) => {
    const cases = arbitraryContract(wireFormat).chain((contract) =>
      fc.tuple(fc.constant(contract), arbitraryValues(contract, valueOptions(contract))),
    );
    fc.assert(
      fc.property(cases, ([contract, values]) => {
        fc.pre(wireFormat !== 'line' || printValues(contract, values).length < limits.line);
        assertPrintReadIdentity(contract, values);
      }),
      runs,
    );
  });
});
