/** A caller's types match what the contract declares. Checked by `npm run check:types`, and by the values here. */
import { expect, expectTypeOf, it } from 'vitest';
import {
  codeReviewer,
  type Progress,
  printValues,
  read,
  type ResultOf,
  structuredReturn,
  tddTaskExecutor,
} from '../../src/index.ts';

it('types the fields of a built-in contract', () => {
  type Tdd = ResultOf<typeof tddTaskExecutor>['fields'];
  expectTypeOf<Tdd['phase']>().toEqualTypeOf<Progress>();
  expectTypeOf<Tdd['phase_complete']>().toEqualTypeOf<boolean>();
  expectTypeOf<Tdd['files_changed']>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<Tdd['blockers']>().toEqualTypeOf<string | null>();
  type Review = ResultOf<typeof codeReviewer>['fields'];
  expectTypeOf<Review['recommendation']>().toEqualTypeOf<'approve' | 'revise' | 'block'>();
  const reading = read(codeReviewer, printValues(codeReviewer, codeReviewer.example));
  expect(reading.ok && reading.result.fields.recommendation).toBe('block');
});

it('keeps what is part of the envelope out of the fields', () => {
  expectTypeOf<keyof ResultOf<typeof structuredReturn>['fields']>().toEqualTypeOf<never>();
  const reading = read(structuredReturn, printValues(structuredReturn, structuredReturn.example));
  expect(reading.ok && reading.result.fields).toEqual({});
});
