/** Reads the `--json` error of another Divisi process and throws it here. */
import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import { errorCodes, type DivisiError, divisiError } from '../base/error.ts';

const text = z.string();

export const refusalSchema = z.object({
  ok: z.literal(false),
  error: z.object({
    code: z.enum(errorCodes),
    message: text,
    expected: z.optional(text),
    got: z.optional(text),
    next: text,
    ids: z.optional(z.record(text, z.union([text, z.number()]))),
  }),
});

export function refusalOf({ error }: z.infer<typeof refusalSchema>): DivisiError {
  const { code, message, expected, got, next, ids = {} } = error;
  return divisiError(code, { message, ...defined({ expected, got }), next, ids });
}
