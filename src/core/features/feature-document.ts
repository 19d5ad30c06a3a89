/** Reads the document of a feature: its phases, dependencies and priority. */
import { readPhases } from '../../todo/plan-phases.ts';
import type { Outcome } from '../event/outcome.ts';
import type { Feature } from '../event/workflow.ts';

export interface FeatureDocument {
  /** The text before the first phase. */
  readonly intro: string;
  readonly phases: readonly { readonly title: string; readonly text: string }[];
  readonly dependencies: readonly string[];
  readonly priority: number;
  readonly complexity: string;
}

export const featureFolder = '.divisi/features';
export const documentPath = (slug: string): string => `${featureFolder}/${slug}-TODO.md`;

/** Anything larger is not one feature, and does not fit into a prompt. */
export const mostPhases = 20;
export const mostDocument = 100_000;

const usualPriority = 3;

/** Checks the size of a document and its number of phases. */
export function isUsable(document: string): boolean {
  const phases = document.length > mostDocument ? 0 : readPhases(document).length;
  return phases > 0 && phases <= mostPhases;
}

/** Cached by outcome, which never changes: the next step is decided often. */
const known = new WeakMap<Outcome, FeatureDocument>();

/** Without a document, the whole feature is one phase. */
export function featureDocument(outcome: Outcome | undefined, feature: Feature): FeatureDocument {
  if (outcome === undefined) return documentOf(undefined, feature);
  const found = known.get(outcome) ?? documentOf(outcome, feature);
  known.set(outcome, found);
  return found;
}

function documentOf(outcome: Outcome | undefined, { title, text }: Feature): FeatureDocument {
  const written = outcome?.document ?? '';
  const phases = readPhases(written).map((phase) => ({ title: phase.title, text: phase.text }));
  const [first] = phases;
  const { dependencies, priority, complexity } = outcome?.structuredResult?.fields ?? {};
  return {
    intro: first === undefined ? '' : written.slice(0, written.indexOf(first.text)).trim(),
    phases: phases.length === 0 ? [{ title, text }] : phases,
    dependencies: Array.isArray(dependencies) ? dependencies : [],
    priority: typeof priority === 'number' ? priority : usualPriority,
    complexity: typeof complexity === 'string' ? complexity : '',
  };
}
