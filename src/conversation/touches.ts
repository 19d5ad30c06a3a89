/** Which files the agents of a conversation have written, as the client told it, tool by tool. */
import type { DelegationId } from '../base/ids.ts';
import type { RunPlace } from './in-run.ts';

export type Touches = ReadonlyMap<DelegationId, ReadonlySet<string>>;

export function touchesOf({ ledger, run }: Pick<RunPlace, 'ledger' | 'run'>): Touches {
  const byDelegation = new Map<DelegationId, Set<string>>();
  for (const { message } of ledger.inbox(run).rows) {
    if (message.kind !== 'touched') continue;
    const paths = byDelegation.get(message.delegation) ?? new Set();
    byDelegation.set(message.delegation, paths.add(message.path));
  }
  return byDelegation;
}
