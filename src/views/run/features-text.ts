/** Features text: counts completed and halted features. A halted feature can have only completed tasks. */
import { oneLine } from '../../base/text.ts';
import { featuresOf } from '../../core/features/features-of.ts';
import type { NextStep } from '../../core/features/next-step.ts';
import { workflowAs } from '../../core/event/run-kind.ts';
import type { RunState } from '../../core/state/state.ts';
import { counted } from '../text/quantity.ts';

export interface FeaturesReport {
  readonly completed: number;
  readonly all: number;
  readonly halted: readonly { readonly feature: string; readonly why: string }[];
}

/** Undefined for a run without features. */
export function featuresReport(state: RunState): FeaturesReport | undefined {
  const workflow = workflowAs(state.created, 'features');
  if (workflow === undefined) return undefined;
  const { all } = featuresOf(state, workflow);
  return {
    completed: all.filter(({ status }) => status.kind === 'completed').length,
    all: all.length,
    halted: all.flatMap(({ feature, status }) =>
      status.kind === 'halted' ? [{ feature: feature.slug, why: whyOf(status) }] : [],
    ),
  };
}

/** Names the step that halted it, unless the reason is another feature. */
function whyOf({ task, why, byOther }: Extract<NextStep, { kind: 'halted' }>): string {
  return byOther === true ? why : `${why}: ${task}`;
}

/** `2 of 3 features completed; halted: payments (rejected by a person: payments.1.review-3)`. */
export function featuresText({ completed, all, halted }: FeaturesReport): string {
  const names = halted.map(({ feature, why }) => `${feature} (${oneLine(why, 100)})`);
  return `${completed} of ${counted(all, 'feature')} completed${names.length === 0 ? '' : `; halted: ${names.join(', ')}`}`;
}
