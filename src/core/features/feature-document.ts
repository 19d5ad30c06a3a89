/** Reads the document of a feature: its phases, dependencies and priority. */
import { readPhases } from '../../todo/plan-phases.ts';
import { documentFacts, isFinished } from './existing-document.ts';
import type { Outcome } from '../event/outcome.ts';
import type { Feature } from '../event/workflow.ts';

export interface FeatureDocument {
  /** The text before the first phase. */
  readonly intro: string;
  /** `isDone`: finished before the run. */
  readonly phases: readonly { readonly title: string; readonly text: string; readonly isDone: boolean }[];
  readonly dependencies: readonly string[];
  readonly priority: number;
  readonly complexity: string;
}

export const featureFolder = '.divisi/features';
/** A document that existed before stays where it is. */
export const documentPath = ({ slug, document }: Pick<Feature, 'slug' | 'document'>): string =>
  document?.path ?? `${featureFolder}/${slug}-TODO.md`;

/** Anything larger is not one feature, and does not fit into a prompt. */
export const mostPhases = 20;
export const mostDocument = 100_000;

const usualPriority = 3;

/** Checks the size of a document and its number of phases. */
export function isUsable(document: string): boolean {
  const phases = document.length > mostDocument ? 0 : readPhases(document).length;
  return phases > 0 && phases <= mostPhases;
}

/** Cached by outcome or document, which never change: the next step is decided often. */
const known = new WeakMap<object, FeatureDocument>();

/** Without a document, the whole feature is one phase. */
export function featureDocument(outcome: Outcome | undefined, feature: Feature): FeatureDocument {
  const source = feature.document ?? outcome;
  if (source === undefined) return describedDocument(undefined, feature);
  const found = known.get(source) ?? documentOf(outcome, feature);
  known.set(source, found);
  return found;
}

function documentOf(outcome: Outcome | undefined, feature: Feature): FeatureDocument {
  return feature.document === undefined ? describedDocument(outcome, feature) : existingDocument(feature.document.text);
}

function describedDocument(outcome: Outcome | undefined, { title, text }: Feature): FeatureDocument {
  const written = outcome?.document ?? '';
  const phases = readPhases(written).map((phase) => ({ title: phase.title, text: phase.text, isDone: false }));
  const { dependencies, priority, complexity } = outcome?.structuredResult?.fields ?? {};
  return {
    intro: introOf(written, phases),
    phases: phases.length === 0 ? [{ title, text, isDone: false }] : phases,
    dependencies: Array.isArray(dependencies) ? dependencies : [],
    priority: typeof priority === 'number' ? priority : usualPriority,
    complexity: typeof complexity === 'string' ? complexity : '',
  };
}

function existingDocument(written: string): FeatureDocument {
  const phases = readPhases(written).map((phase) => ({
    title: phase.title,
    text: phase.text,
    isDone: isFinished(phase),
  }));
  const intro = introOf(written, phases);
  const { dependencies, priority = usualPriority, complexity = '' } = documentFacts(intro);
  return { intro, phases, dependencies, priority, complexity };
}

function introOf(written: string, [first]: readonly { readonly text: string }[]): string {
  return first === undefined ? '' : written.slice(0, written.indexOf(first.text)).trim();
}
