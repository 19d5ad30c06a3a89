/** Voids the rejections that a new start of the run overrides: what they were about is asked again where it still holds. */
import { commandKey } from '../../base/command-key.ts';
import { isAboutFeatures, isAboutMeans, isRefusedReview, isSentBack } from '../state/hold.ts';
import type { CheckpointOf, RunState } from '../state/state.ts';

/** `again`: the run was over, and a person wants everything tried again. */
export function askAgain(state: RunState, again: boolean): void {
  for (const one of state.checkpoints) {
    if (one.status === 'rejected' && one.kind === 'planned') one.status = 'coming';
    if (one.status === 'rejected' && one.kind === 'base') forgetRed(state, one);
    // An exhausted budget or a full disk is asked about again at once. A halted feature is reopened with its question.
    const isAskedAgain = isAboutMeans(one) || (again && isAboutFeatures(one) && !isSentBack(one));
    if ((one.status === 'rejected' && isAskedAgain) || isRefusedReview(one)) one.status = 'replaced';
  }
}

function forgetRed({ knownRed }: RunState, one: CheckpointOf<'base'>): void {
  one.status = 'replaced';
  for (const argv of one.commands) knownRed.delete(commandKey(argv));
}
