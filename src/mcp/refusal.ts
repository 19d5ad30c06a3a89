/** Reads the `--json` error of another Divisi process and throws it here. */
import * as z from 'zod/mini';
import { errorCodes, type DivisiError, divisiError } from '../base/error.ts';

const text = z.string();

export const refusalSchema = z.object({
  ok: z.literal(false),
  error: z.object({
    code: z.enum(errorCodes),
    message: text,
    next: text,
    ids: z.optional(z.record(text, z.union([text, z.number()]))),
  }),
});

export function refusalOf({ error }: z.infer<typeof refusalSchema>): DivisiError {
  const { code, message, next, ids = {} } = error;
  return divisiError(code, { message, next, ids });
}
