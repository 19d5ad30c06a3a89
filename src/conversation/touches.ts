/** Which files the agents of a conversation have written, as the client told it, tool by tool. */
import type { DelegationId } from '../contracts/ids.ts';
import type { RunPlace } from './in-run.ts';

export interface Touched {
  readonly byDelegation: ReadonlyMap<DelegationId, ReadonlySet<string>>;
  readonly rows: readonly { readonly id: number; readonly delegation: string }[];
}

export function touchesOf({ ledger, run }: Pick<RunPlace, 'ledger' | 'run'>): Touched {
  const byDelegation = new Map<DelegationId, Set<string>>();
  const rows: { id: number; delegation: string }[] = [];
  for (const { id, message } of ledger.inbox(run).rows) {
    if (message.kind !== 'touched') continue;
    rows.push({ id, delegation: message.delegation });
    const paths = byDelegation.get(message.delegation) ?? new Set();
    byDelegation.set(message.delegation, paths.add(message.path));
  }
  return { byDelegation, rows };
}
