/**
 * Verifies returned work that is not verified yet. Claims each piece in the inbox first, because verification may take minutes:
 * other hooks leave it to a live claimant, and pick up the work of one that timed out.
 */
import type { DelegationId } from '../base/ids.ts';
import type { VerifyStep } from '../core/decide/steps.ts';
import { isAliveHere, ownIdentity } from '../process/identity.ts';
import type { Conduct } from './conduct.ts';
import { inRun, type RunPlace } from './in-run.ts';
import { touchesOf, type VerifiedCheckout, verifyCheckout } from './verify-checkout.ts';

/** All of it, or that of one delegation. */
export async function verifyPending(conduct: Conduct, only?: DelegationId): Promise<void> {
  const { state, steps, touches } = inRun(conduct, ({ state: found, advance }) => {
    const { toVerify } = advance();
    const taken = takenIn(conduct);
    const free = toVerify.filter(({ delegation }) => !taken.has(delegation) && (only ?? delegation) === delegation);
    for (const { delegation } of free) take(conduct, delegation);
    return { state: found, steps: free, touches: touchesOf(conduct) };
  });
  // All steps are judged by the run as it was when they were claimed: later turns must not change that state.
  if (steps.length > 1 && conduct.memory !== undefined) conduct.memory.folded = undefined;
  for (const [at, step] of steps.entries()) {
    try {
      keep(conduct, step, await verifyCheckout(conduct, state, step, touches));
    } catch (error) {
      const left = new Set(steps.slice(at).map(({ delegation }) => delegation));
      inRun(conduct, ({ consume }) => consume(rowsOf(conduct, left, 'verifying')));
      throw error;
    }
  }
}

function keep(conduct: Conduct, step: VerifyStep, { verification, unattributed }: VerifiedCheckout): void {
  const { delegation, task } = step;
  inRun(conduct, ({ state, record, consume, advance }) => {
    consume(rowsOf(conduct, new Set([delegation]), 'touched', 'verifying'));
    const progress = state.index.settling.get(task.id)?.progress;
    if (progress?.status !== 'verifying' || progress.delegation !== delegation) return;
    const known = new Set(state.unattributed.map(({ path }) => path));
    if (unattributed?.files.some((path) => !known.has(path)) === true)
      record({ kind: 'work.unattributed', ...unattributed });
    record({ kind: 'task.verified', task: task.id, delegation, verification });
    advance();
  });
}

function take({ ledger, run }: RunPlace, delegation: DelegationId): void {
  const { command: _, ...by } = ownIdentity('');
  ledger.tell(run, { kind: 'verifying', delegation, by });
}

function takenIn({ ledger, run }: RunPlace): Set<DelegationId> {
  const taken = ledger
    .inbox(run)
    .rows.flatMap(({ message }) =>
      message.kind === 'verifying' && isAliveHere(message.by) ? [message.delegation] : [],
    );
  return new Set(taken);
}

function rowsOf(
  { ledger, run }: RunPlace,
  delegations: ReadonlySet<DelegationId>,
  ...kinds: readonly ('touched' | 'verifying')[]
): number[] {
  return ledger.inbox(run).rows.flatMap(({ id, message }) => {
    const isOne = kinds.some((kind) => kind === message.kind);
    return isOne && 'delegation' in message && delegations.has(message.delegation) ? [id] : [];
  });
}
