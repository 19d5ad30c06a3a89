/** The shapes of what the command answers with `--json`. Strict: a key that is not here is a change to the interface. */
import * as z from 'zod/mini';
import { wireFormats } from '../../src/contracts/wire/raw.ts';
import { actions } from '../../src/contracts/contract.ts';
import { errorCodes } from '../../src/base/error.ts';
import { violationSchema } from '../../src/contracts/finding.ts';
import { resultSchema } from '../../src/contracts/result.ts';
import { assignmentSchema } from '../../src/delegation/assignment.ts';

const size = z.strictObject({ characters: z.int(), tokens: z.int() });
const violations = z.array(violationSchema).check(z.minLength(1));

export const checkValid = z.strictObject({
  ok: z.literal(true),
  contract: z.string(),
  action: z.enum(actions),
  result: resultSchema,
  brief: z.string(),
  sizes: z.strictObject({ return: size, brief: size, tokensAre: z.literal('an estimate') }),
});

export const checkInvalid = z.strictObject({
  ok: z.literal(false),
  contract: z.string(),
  violations,
  salvaged: z.strictObject({ result: z.partial(resultSchema.def.getter()), head: z.string(), tail: z.string() }),
});

export const repairValid = z.strictObject({ ok: z.literal(true), contract: z.string() });
export const repairInvalid = z.strictObject({
  ok: z.literal(false),
  contract: z.string(),
  violations,
  message: z.string(),
});

export const contractList = z.array(
  z.strictObject({ name: z.string(), version: z.int(), wireFormat: z.enum(wireFormats), purpose: z.string() }),
);

const condition = z.record(z.string(), z.unknown());
export const contractShow = z.strictObject({
  name: z.string(),
  version: z.int(),
  purpose: z.string(),
  wireFormat: z.enum(wireFormats),
  fields: z.record(z.string(), z.looseObject({ type: z.string(), about: z.string() })),
  line: z.optional(z.array(z.string())),
  role: z.optional(z.string()),
  statusWhen: z.optional(z.array(z.strictObject({ when: condition, status: z.string() }))),
  summary: z.optional(z.string()),
  rules: z.array(z.strictObject({ when: z.optional(condition), then: condition, because: z.string() })),
  actions: z.array(z.strictObject({ when: condition, action: z.enum(actions) })),
  example: z.record(z.string(), z.unknown()),
});

export const contractPrompt = z.strictObject({ contract: z.string(), prompt: z.string() });

export const assignmentValid = z.strictObject({ ok: z.literal(true), assignment: assignmentSchema });
export const assignmentInvalid = z.strictObject({
  ok: z.literal(false),
  faults: z.array(z.strictObject({ path: z.string(), expected: z.string() })).check(z.minLength(1)),
});
export const assignmentPrompt = z.strictObject({
  ok: z.literal(true),
  agent: z.string(),
  contract: z.string(),
  prompt: z.string(),
});

export const failure = z.strictObject({
  ok: z.literal(false),
  error: z.strictObject({
    code: z.enum(errorCodes),
    message: z.string(),
    expected: z.optional(z.string()),
    got: z.optional(z.string()),
    next: z.string(),
    retryable: z.boolean(),
    ids: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
});
