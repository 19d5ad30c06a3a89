/**
 * Identities. Everything a delegation produces carries its id, so that results are matched by identity and never by
 * time or by "the newest file".
 */
import * as z from 'zod/mini';

/** Generated as `sess_<unix seconds>_<6 of 0-9a-z>`; a date in place of the seconds is accepted when read. */
export const delegationIdSchema = z
  .string()
  .check(z.regex(/^sess_\d{8,12}_[0-9a-z]{6}$/))
  .brand<'DelegationId'>();
export type DelegationId = z.infer<typeof delegationIdSchema>;

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** `random` gives a number in [0, 1) each time it is called; both effects are parameters so that runs can be replayed. */
export function newDelegationId(now: Date, random: () => number): DelegationId {
  const seconds = Math.floor(now.getTime() / 1000);
  const tail = Array.from({ length: 6 }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
  return delegationIdSchema.parse(`sess_${seconds}_${tail}`);
}
