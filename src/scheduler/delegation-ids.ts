/** Ids of delegations that one process gives out, none of them twice: six random letters alone repeat within 50,000 of them. */
import type { DelegationId } from '../contracts/ids.ts';

const tails = 36 ** 6;

/** From a random place onwards, so that another process in the same second does not begin at the same one. */
export function delegationIds(clock: { now(): number }, random: () => number): () => DelegationId {
  let tail = Math.floor(random() * tails);
  return () => {
    tail = (tail + 1) % tails;
    return `sess_${Math.floor(clock.now() / 1000)}_${tail.toString(36).padStart(6, '0')}` as DelegationId;
  };
}
