/** Starts the run of an architect: one task that turns a description into a plan. */
import { defined } from '../../base/defined.ts';
import type { Agent } from '../../agents/agent.ts';
import { findAgent } from '../../agents/registry.ts';
import { divisiError } from '../../base/error.ts';
import type { RunState } from '../../core/state/state.ts';
import { architectAgent, planningTask, readRequest, requestTitle } from './architect-task.ts';
import { noHooks, type RunHooks, type RunOptions } from '../../scheduler/agent-run.ts';
import { storeArchitectPlan } from './store-architect-plan.ts';
import { withLedger } from '../../project/project-ledger.ts';
import { loadTrusted } from '../../project/trust/load-trusted.ts';
import { startWorkflow } from '../../scheduler/begin/start-workflow.ts';

export interface ArchitectOptions extends RunOptions {
  readonly driver?: string;
}

/** The plan of a completed run is stored in `.divisi/plans`, see `storeArchitectPlan`. */
export async function startArchitect(words: string, options: ArchitectOptions): Promise<RunState> {
  const request = readRequest(words);
  const settled = await loadTrusted(options);
  refuseOtherContract(findAgent(settled.agents, architectAgent));
  const task = planningTask(request, settled.agents);
  return withLedger(options.project, (ledger) =>
    startWorkflow(
      {
        title: requestTitle(request),
        goal: request,
        workflow: { kind: 'architect', request },
        waves: [{ title: 'Planning', tasks: [task] }],
        concurrency: 1,
        gated: false,
        ...defined({ driver: options.driver }),
      },
      { ledger, settled, options, hooks: () => architectHooks(options) },
    ),
  );
}

/** Refuses an architect with another contract: it would not return a plan. */
function refuseOtherContract({ contract, file = '' }: Agent): void {
  if (contract === 'architect') return;
  throw divisiError('AGENT_FILE_INVALID', {
    message: `${file}: the architect has the contract ${contract}`,
    expected: 'the contract architect',
    next: 'Remove the contract from that file, or give the agent another name.',
    ids: { file },
  });
}

/** Stores the plan before the lease is released: a run that is over has its plan. */
export function architectHooks({ project, warn }: Pick<RunOptions, 'project' | 'warn'>): RunHooks {
  let ended: RunState | undefined;
  return {
    ...noHooks,
    followed: (event, state) => {
      if (event.kind === 'run.ended' && event.status === 'completed') ended = state;
    },
    idle: async () => {
      // On failure the next reader stores it, or reports why it cannot.
      if (ended !== undefined) await storeArchitectPlan(project, ended).catch(warn);
    },
  };
}
