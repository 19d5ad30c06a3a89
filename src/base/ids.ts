/** Ids: generates the ids of delegations and runs. Results are matched by id, never by time or by "the newest file". */
import * as z from 'zod/mini';

/** Generated as `sess_<unix seconds>_<6 of 0-9a-z>`; a date in place of the seconds is accepted when read. */
export const delegationIdSchema = z.lazy(() =>
  z
    .string()
    .check(z.regex(/^sess_\d{8,12}_[0-9a-z]{6}$/))
    .brand<'DelegationId'>(),
);
export type DelegationId = z.infer<typeof delegationIdSchema>;

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** `random` returns a number in [0, 1). Both effects are parameters: runs can be replayed. */
export function newDelegationId(now: Date, random: () => number): DelegationId {
  const seconds = Math.floor(now.getTime() / 1000);
  const tail = Array.from({ length: 6 }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
  return delegationIdSchema.parse(`sess_${seconds}_${tail}`);
}

/** The number of distinct ids per second. */
const tails = 36 ** 6;

/**
 * Generates ids that never repeat within a process; six random letters alone repeat within 50,000 ids. Starts at a random
 * id, because another process may start in the same second.
 */
export function delegationIds(clock: { now(): number }, random: () => number): () => DelegationId {
  let tail = Math.floor(random() * tails);
  return () => {
    tail = (tail + 1) % tails;
    return `sess_${Math.floor(clock.now() / 1000)}_${tail.toString(36).padStart(6, '0')}` as DelegationId;
  };
}

/** `run_` and a ULID: sorts by creation time. */
export const runIdSchema = z.lazy(() =>
  z
    .string()
    .check(z.regex(/^run_[0-9A-HJKMNP-TV-Z]{26}$/))
    .brand<'RunId'>(),
);
export type RunId = z.infer<typeof runIdSchema>;

const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function newRunId(now: Date, random: () => number): RunId {
  let time = now.getTime();
  let head = '';
  for (let at = 0; at < 10; at += 1, time = Math.floor(time / 32)) head = base32.charAt(time % 32) + head;
  const tail = Array.from({ length: 16 }, () => base32.charAt(Math.floor(random() * 32))).join('');
  return runIdSchema.parse(`run_${head}${tail}`);
}
