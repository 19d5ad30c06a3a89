import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workerReport } from '../../src/contracts/built-in/worker-report.ts';
import { limits } from '../../src/contracts/field.ts';
import { printValues } from '../../src/contracts/write/print.ts';
import { builtInContracts } from '../../src/contracts/registry.ts';
import { saysNone } from '../../src/contracts/wire/raw.ts';
import { arbitraryText } from './arbitrary-text.ts';
import { arbitraryValues } from './arbitrary-values.ts';
import { assertPrintReadIdentity, valueOptions } from './print-read.ts';
import { fewerRuns, runs } from './runs.ts';

describe('print → read is the identity', () => {
  it('with nothing in the frontmatter that its section can carry', () => {
    const carried = (text: string): boolean => text.trim() === text && !text.includes('\r');
    const text = arbitraryText(limits.summaryMax).filter(carried);
    const items = fc.array(
      text.filter((item) => !saysNone(item)),
      { maxLength: 4 },
    );
    const [frontmatter = ''] = printValues(workerReport, workerReport.example).split('## Summary');
    const inPlace = fc.property(text, items, (summary, decisions) => {
      const values = { ...workerReport.example, summary, decisions };
      expect(printValues(workerReport, values).startsWith(frontmatter)).toBe(true);
      assertPrintReadIdentity(workerReport, values);
    });
    fc.assert(inPlace, runs);
  });

  it.each(builtInContracts.map((contract) => [contract.name, contract] as const))('of %s', (_, contract) => {
    fc.assert(
      fc.property(arbitraryValues(contract, valueOptions(contract)), (values) => {
        fc.pre(contract.wireFormat !== 'line' || printValues(contract, values).length < limits.line);
        assertPrintReadIdentity(contract, values);
      }),
      // Each of a dozen contracts; own contracts, which have every type of field, take more.
      fewerRuns,
    );
  });
});
