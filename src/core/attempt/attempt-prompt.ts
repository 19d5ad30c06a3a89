/** Writes the prompt of one attempt from its assignment, role and contract. */
import { workflowAs } from '../event/run-kind.ts';
import { defined } from '../../base/defined.ts';
import { type Agents, findAgent } from '../../agents/registry.ts';
import type { Contract } from '../../contracts/contract.ts';
import { oneLine } from '../../base/text.ts';
import type { ReturnWay } from '../../contracts/return-way.ts';
import { filesOf } from '../../delegation/delegation-files.ts';
import { dispatchPrompt } from '../../delegation/dispatch-prompt.ts';
import { parseAssignment } from '../../delegation/assignment.ts';
import { depthOf } from '../../delegation/path.ts';
import { wordsFor } from '../../plan/plan.ts';
import type { Activity } from './activity.ts';

export interface AttemptSetting {
  readonly run: string;
  readonly agents: Agents;
  readonly contract: Contract;
  readonly by: ReturnWay;
  /** Until the deadline. */
  readonly milliseconds: number;
  /** The folder that continues the work of an earlier attempt. */
  readonly carriedTo?: string;
}

/** Throws ASSIGNMENT_INVALID if the task does not fit into an assignment. */
export function attemptPrompt(activity: Activity, setting: AttemptSetting): string {
  const { registered, task } = activity;
  const { run, agents, contract, by, carriedTo } = setting;
  const files = filesOf(run, activity.wave, task.id, registered.delegation);
  const left = `your folder is now ${carriedTo}; it holds the changes of the previous attempt, whose own folder is gone: continue from there, and claim every change you keep`;
  const earlier = carriedTo === undefined ? activity.earlier : [...activity.earlier, left];
  const { plan, before = [] } = activity.surroundings ?? {};
  const about = workflowAs(activity, 'command');
  const assignment = parseAssignment({
    schema_version: '1.0.0',
    run_id: run,
    session_id: registered.delegation,
    delegation_depth: depthOf(registered.path),
    delegation_path: registered.path,
    timeout: Math.max(1, Math.round(setting.milliseconds / 1000)),
    agent: registered.agent,
    contract: contract.name,
    ...defined({ plan }),
    task: {
      id: task.id,
      description: wordsFor(task),
      acceptance: task.accept,
      scope: task.scope,
      ...defined({ forbidden: task.forbidden }),
      report_path: files.report,
      worklog_path: files.worklog,
      ...(before.length === 0 ? {} : { dependencies: before }),
      ...(earlier.length === 0 ? {} : { earlier }),
      ...(activity.notes.length === 0 ? {} : { notes: activity.notes.map((note) => oneLine(note, 2000)) }),
    },
    ...(about === undefined
      ? {}
      : { task_context: { task_number: about.number, description: about.title, language: about.language } }),
  });
  return dispatchPrompt({ assignment, instructions: findAgent(agents, registered.agent).instructions, contract, by });
}
