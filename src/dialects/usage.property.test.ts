import fc from 'fast-check';
import { expect, it } from 'vitest';
import { usageSchema } from '../core/event/outcome.ts';
import { type TurnUsage, usageOf } from './usage.ts';

const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, 1e12, 1e12 + 1, 2 ** 53, -0, -1, 0.5));
const turn = fc.record<TurnUsage>(
  { tokens: number, cost: number, source: fc.string(), isPartial: fc.constant(true) },
  {
    requiredKeys: [],
  },
);

it('is something that an event may say, whatever numbers programs write', () => {
  fc.assert(
    fc.property(fc.array(fc.option(turn, { nil: undefined })), (turns) => {
      const usage = usageOf(turns);
      expect(usage === undefined || usageSchema().safeParse(usage).success).toBe(true);
    }),
  );
});
