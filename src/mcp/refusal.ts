/** What another Tutti says with `--json` when it refuses: the same error here. */
import * as z from 'zod/mini';
import { errorCodes, type TuttiError, tuttiError } from '../contracts/error.ts';

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

export function refusalOf({ error }: z.infer<typeof refusalSchema>): TuttiError {
  const { code, message, next, ids = {} } = error;
  return tuttiError(code, { message, next, ids });
}
