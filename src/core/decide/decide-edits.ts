/** Applies edits of the plan that a person has approved, as far as the run allows. */
import type { Amendment } from '../event/amendment.ts';
import { filterApplicable } from '../apply/apply-amendments.ts';
import { type Decision, record } from './decision.ts';
import { graphFault } from '../plan-edit/graph-fault.ts';
import { openOf, type RunState } from '../state/state.ts';

/** What of an edit can be taken over now: the parts that the run has not gone past, if together they make a plan. */
export function applicableEdit(
  state: RunState,
  amendments: readonly Amendment[],
  refused: (why: string) => void,
): readonly Amendment[] {
  const taken = filterApplicable(state, amendments, refused);
  const fault = graphFault(state, taken);
  if (fault === undefined) return taken;
  refused(`what is left of the edit makes no plan: ${fault}`);
  return [];
}

export function acceptedEdits(state: RunState): readonly Decision[] {
  if (state.accepted.length === 0) return [];
  const conflicts: string[] = [];
  const amendments = applicableEdit(state, state.accepted, (why) => conflicts.push(why));
  const { planFile: file, planHashes } = state;
  const said = record({ kind: 'plan.changed', file, hash: planHashes[0] ?? '', conflicts });
  const taken = record({ kind: 'plan.amended', amendments: [...amendments] });
  return conflicts.length === 0 ? [taken] : [said, taken];
}

/** A question about the plan that nobody has answered: what it asks for may belong to the wave that is about to end. */
export function isEditAsked(state: RunState): boolean {
  return openOf(state, 'edit').length > 0;
}

/** Nobody has answered what was asked last: the question was withdrawn, or the run ended. */
export function isEditUnanswered({ checkpoints }: RunState): boolean {
  return checkpoints.findLast(({ kind }) => kind === 'edit')?.status === 'replaced';
}
