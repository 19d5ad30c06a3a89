/** Applies approved edits of the plan, as far as the run allows. */
import type { Amendment } from '../event/amendment.ts';
import { filterApplicable } from '../apply/apply-amendments.ts';
import { type Decision, record } from './decision.ts';
import { graphFault } from '../plan-edit/graph-fault.ts';
import { openOf, type RunState } from '../state/state.ts';

/** The applicable part of an edit: amendments the run has not passed, if together they leave a valid plan. */
export function applicableEdit(
  state: RunState,
  amendments: readonly Amendment[],
  refused: (why: string) => void,
): readonly Amendment[] {
  const taken = filterApplicable(state, amendments, refused);
  const fault = graphFault(state, taken);
  if (fault === undefined) return taken;
  refused(`the rest of the edit does not make a valid plan: ${fault}`);
  return [];
}

export function acceptedEdits(state: RunState): readonly Decision[] {
  if (state.accepted.length === 0) return [];
  const conflicts: string[] = [];
  const amendments = applicableEdit(state, state.accepted, (why) => conflicts.push(why));
  const { planFile: file, planHashes } = state;
  const reported = record({ kind: 'plan.changed', file, hash: planHashes[0] ?? '', conflicts });
  const taken = record({ kind: 'plan.amended', amendments: [...amendments] });
  return conflicts.length === 0 ? [taken] : [reported, taken];
}

/** While true, the wave must not end: the edit may belong to it. */
export function isEditAsked(state: RunState): boolean {
  return openOf(state, 'edit').length > 0;
}

/** The last question about an edit was never answered: it was withdrawn, or the run ended. */
export function isEditUnanswered({ checkpoints }: RunState): boolean {
  return checkpoints.findLast(({ kind }) => kind === 'edit')?.status === 'replaced';
}
