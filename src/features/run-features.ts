/** Starts a run that describes all features first and then builds them step by step. */
import { defined } from '../base/defined.ts';
import { divisiError } from '../base/error.ts';
import { oneLine } from '../base/text.ts';
import { readFeatures } from '../core/features/feature-list.ts';
import { docTask } from '../core/features/feature-tasks.ts';
import { partAgents } from '../core/features/next-step.ts';
import { isOver, type RunState } from '../core/state/state.ts';
import type { FeaturesWorkflow } from '../core/event/workflow.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import type { RunOptions } from '../scheduler/agent-run.ts';
import { loadTrusted } from '../project/trust/load-trusted.ts';
import { withLedger } from '../project/project-ledger.ts';
import { startWorkflow, type WorkflowRun } from '../scheduler/begin/start-workflow.ts';
import { documentedFeatures, takenNotes, withDocuments } from './existing-features.ts';
import { featureHooks } from './feature-views.ts';

export interface FeatureOptions extends RunOptions, Pick<WorkflowRun, 'driver' | 'mode'> {
  readonly concurrency?: number;
  /** Agents that inspect a phase between its review and the gate; by default the config's. */
  readonly extras?: readonly string[];
}

/** A person's words, in any form that `feature-list.ts` reads; or existing documents, by their paths in the project. */
export type FeatureRequest = { readonly text: string } | { readonly documents: readonly string[] };

export async function runFeatures(request: FeatureRequest, options: FeatureOptions): Promise<RunState> {
  const { project, warn, concurrency, driver, mode } = options;
  const features =
    'text' in request
      ? await withDocuments(project, readFeatures(request.text), warn)
      : await documentedFeatures(project, request.documents);
  for (const note of takenNotes(features)) warn(new Error(note));
  const settled = await loadTrusted(options);
  const extras = [...(options.extras ?? settled.config.features.extras)];
  const workflow: FeaturesWorkflow = { kind: 'features', features, extras };
  const names = features.map(({ slug }) => slug).join(', ');
  const spec: WorkflowRun = {
    title: oneLine(`${features.length === 1 ? 'Feature' : 'Features'}: ${names}`, 200),
    goal: oneLine(features.map(({ title }) => title).join('; '), 1000),
    workflow,
    waves: [{ title: 'Describe and build', tasks: features.map((one) => docTask(one, features)) }],
    concurrency: concurrency ?? settled.config.concurrency,
    ...defined({ driver, mode }),
    gated: true,
    own: features.flatMap(({ document }) => document?.path ?? []),
    agents: [...Object.values(partAgents), ...extras],
  };
  return withLedger(project, (ledger) =>
    startWorkflow(spec, {
      ledger,
      settled,
      options,
      hooks: () => featureHooks({ project, workflow, warn }),
      check: () => refuseSecondRun(ledger),
    }),
  );
}

/** Refuses a second run of features: there is only one MASTER.md. `except` is the resumed run. */
export function refuseSecondRun(ledger: LedgerReader, except?: string): void {
  for (const { run, status } of ledger.runs({ kind: 'features' })) {
    if (run === except || isOver(status)) continue;
    throw divisiError('RUN_UNFINISHED', {
      message: `features are unfinished: ${run} (${status})`,
      next: `\`divisi resume ${run}\` resumes them; to start over, \`divisi cancel ${run}\` ends it first.`,
      ids: { run },
    });
  }
}
