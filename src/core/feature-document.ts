/** What the document of a feature says: its phases, what must come first, how urgent it is. */
import { readPhases } from '../todo/plan-phases.ts';
import type { Outcome } from './outcome.ts';
import type { Feature } from './workflow.ts';

export interface FeatureDocument {
  readonly phases: readonly { readonly title: string; readonly text: string }[];
  readonly dependencies: readonly string[];
  readonly priority: number;
  readonly complexity: string;
}

export const featureFolder = '.tutti/features';
export const documentPath = (slug: string): string => `${featureFolder}/${slug}-TODO.md`;

const usualPriority = 3;

/** Of outcomes, which never change: what is decided is decided often. */
const known = new WeakMap<Outcome, FeatureDocument>();

/** A person may have taken it as done although nothing of it can be read: then the whole feature is one phase. */
export function describedBy(outcome: Outcome | undefined, feature: Feature): FeatureDocument {
  if (outcome === undefined) return documentOf(undefined, feature);
  const found = known.get(outcome) ?? documentOf(outcome, feature);
  known.set(outcome, found);
  return found;
}

function documentOf(outcome: Outcome | undefined, { title, text }: Feature): FeatureDocument {
  const phases = readPhases(outcome?.document ?? '').map((phase) => ({ title: phase.title, text: phase.text }));
  const { dependencies, priority, complexity } = outcome?.told?.fields ?? {};
  return {
    phases: phases.length === 0 ? [{ title, text }] : phases,
    dependencies: Array.isArray(dependencies) ? dependencies : [],
    priority: typeof priority === 'number' ? priority : usualPriority,
    complexity: typeof complexity === 'string' ? complexity : '',
  };
}
