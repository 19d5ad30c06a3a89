/** A description becomes a run of one task: an architect that makes a plan of it. */
import { defined } from '../../base/defined.ts';
import type { Agent } from '../../agents/agent.ts';
import { findAgent } from '../../agents/registry.ts';
import { divisiError } from '../../base/error.ts';
import type { RunState } from '../../core/state/state.ts';
import { architectAgent, planningTask, readRequest, requestTitle } from './architect-task.ts';
import { noHooks, type RunHooks, type RunOptions } from '../../scheduler/agent-run.ts';
import { keptPlan } from './kept-plan.ts';
import { withLedger } from '../../project/project-ledger.ts';
import { loadProject } from '../../project/project-folder.ts';
import { startWorkflow } from '../../scheduler/begin/start-workflow.ts';

export interface ArchitectOptions extends RunOptions {
  readonly driver?: string;
}

/** When it has completed, its plan is kept: `keptPlan` says where. */
export async function startArchitect(words: string, options: ArchitectOptions): Promise<RunState> {
  const request = readRequest(words);
  const settled = await loadProject(options.project, options.warn);
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

/** Whoever returns something else returns no plan. */
function refuseOtherContract({ contract, file = '' }: Agent): void {
  if (contract === 'architect') return;
  throw divisiError('AGENT_FILE_INVALID', {
    message: `${file}: the architect returns by ${contract}`,
    expected: 'the contract architect',
    next: 'Leave the contract out of that file, or give the agent another name.',
    ids: { file },
  });
}

/** The plan is kept before the run is let go of: whoever finds it over finds its plan. */
export function architectHooks({ project, warn }: Pick<RunOptions, 'project' | 'warn'>): RunHooks {
  let ended: RunState | undefined;
  return {
    ...noHooks,
    followed: (event, state) => {
      if (event.kind === 'run.ended' && event.status === 'completed') ended = state;
    },
    idle: async () => {
      // Whoever asks for it next keeps it, or says why it cannot be kept.
      if (ended !== undefined) await keptPlan(project, ended).catch(warn);
    },
  };
}
