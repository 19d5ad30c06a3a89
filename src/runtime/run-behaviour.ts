/** RunBehaviour: the differences between kinds of runs outside the core, as one table. */
import { commandHooks } from '../commands/command-hooks.ts';
import { refuseOther } from '../commands/run-stages.ts';
import { type RunKind, runKind, workflowAs } from '../core/event/run-kind.ts';
import type { RunState } from '../core/state/state.ts';
import { isStranded } from '../core/workflow/command-end.ts';
import { featureHooks, writeViews } from '../features/feature-views.ts';
import { refuseSecondRun } from '../features/run-features.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { noHooks, type RunHooks, type RunOptions } from '../scheduler/agent-run.ts';
import { refuseConducted } from './conducted/conduct-run.ts';
import { architectHooks } from './plans/start-architect.ts';

export interface RunBehaviour {
  readonly hooks: (state: RunState, ledger: Ledger, options: RunOptions) => RunHooks;
  /** Refuses to resume the run. */
  readonly checkResume: (state: RunState, ledger: Ledger) => void;
  /** Completed, but its last steps have to be repeated. */
  readonly isUnfinished: (state: RunState) => boolean;
  /** The hooks also follow what is recorded while no driver runs. */
  readonly followsRecords: boolean;
  /** Writes the files that show the run, where no process works on it. */
  readonly writeViews: (state: RunState, options: Pick<RunOptions, 'project' | 'warn'>) => Promise<void>;
}

const planBehaviour: RunBehaviour = {
  hooks: () => noHooks,
  checkResume: () => undefined,
  isUnfinished: () => false,
  followsRecords: false,
  writeViews: async () => undefined,
};

const behaviours: Readonly<Record<RunKind, RunBehaviour>> = {
  plan: planBehaviour,
  conducted: { ...planBehaviour, checkResume: refuseConducted },
  architect: { ...planBehaviour, hooks: (_state, _ledger, options) => architectHooks(options) },
  command: {
    ...planBehaviour,
    hooks: ({ created }, ledger, options) => commandHooks(created.run, { ...options, ledger }),
    checkResume: ({ created }, ledger) => {
      const workflow = workflowAs(created, 'command');
      if (workflow !== undefined) refuseOther(ledger, workflow, created.run);
    },
    isUnfinished: isStranded,
    followsRecords: true,
  },
  features: {
    ...planBehaviour,
    hooks: ({ created }, _ledger, { project, warn }) => {
      const workflow = workflowAs(created, 'features');
      return workflow === undefined ? noHooks : featureHooks({ project, workflow, warn });
    },
    checkResume: ({ created, status }, ledger) => {
      if (status !== 'completed') refuseSecondRun(ledger, created.run);
    },
    writeViews: async (state, { project, warn }) => {
      const workflow = workflowAs(state.created, 'features');
      if (workflow !== undefined) await writeViews(state, { project, workflow, warn });
    },
  },
};

export function behaviourOf({ created }: RunState): RunBehaviour {
  return behaviours[runKind(created)];
}
