/** Permits an agent's edit inside the scope of its task, and denies it outside. */
import { workspaceOf } from '../core/state/current-workspace.ts';
import type { DelegationId } from '../base/ids.ts';
import { isReview } from '../core/event/role.ts';
import { findTask, type RunState } from '../core/state/state.ts';
import { editRefusal } from '../conversation/permit.ts';
import { filesOf } from '../delegation/delegation-files.ts';
import { deny, type HookAnswer, nothing } from './answer.ts';
import type { AgentAtWork } from './check-agent.ts';
import type { HookInput } from './hook-input.ts';
import { pathIn } from './path-in.ts';

function otherScopes(state: RunState, own: DelegationId): { task: string; scope: readonly string[] }[] {
  const others = [...state.active.values()].filter(({ registered }) => registered.delegation !== own);
  return others.map(({ registered: { task } }) => ({ task, scope: findTask(state, task)?.planned.scope ?? [] }));
}

export function checkAgentEdit(input: HookInput, { seen, member }: AgentAtWork): HookAnswer {
  const { hookRun } = seen;
  const { planned, role, wave } = member.task;
  const { planFile } = seen.state;
  const { report, worklog } = filesOf(hookRun.run, wave, planned.id, member.delegation);
  const why = editRefusal(pathIn(input, hookRun), {
    task: planned.id,
    scope: isReview(role) ? [report, worklog] : planned.scope,
    forbidden: [...(workspaceOf(seen.state)?.forbidden ?? []), ...(planned.forbidden ?? [])],
    own: [report, worklog],
    planFile,
    taken: otherScopes(seen.state, member.delegation),
  });
  return why === undefined ? nothing : deny(why);
}
