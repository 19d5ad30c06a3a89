import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { printValues } from '../../src/contracts/print.ts';
import { limits } from '../../src/contracts/field.ts';
import { builtInContracts } from '../../src/contracts/registry.ts';
import { arbitraryValues } from './arbitrary-values.ts';
import { assertPrintReadIdentity, valueOptions } from './print-read.ts';
import { runs } from './runs.ts';

describe('print → read is the identity', () => {
  it.each(builtInContracts.map((contract) => [contract.name, contract] as const))('of %s', (_, contract) => {
    fc.assert(
      fc.property(arbitraryValues(contract, valueOptions(contract)), (values) => {
        fc.pre(contract.wireFormat !== 'line' || printValues(contract, values).length < limits.line);
        assertPrintReadIdentity(contract, values);
      }),
      runs,
    );
  });
});
