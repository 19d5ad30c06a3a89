/** Permits an agent's edit inside the scope of its task, and denies it outside. */
import type { DelegationId } from '../base/ids.ts';
import { isReview } from '../core/event/role.ts';
import { findTask, type RunState } from '../core/state/state.ts';
import { editRefusal } from '../conversation/permit.ts';
import { filesOf } from '../delegation/delegation-files.ts';
import { deny, type HookAnswer, nothing } from './answer.ts';
import { findMemberAbove } from './find-member.ts';
import type { HookInput } from './hook-input.ts';
import { runSnapshot } from './run-snapshot.ts';
import { pathIn } from './path-in.ts';
import type { HookRun } from './hook-run.ts';

function otherScopes(state: RunState, own: DelegationId): { task: string; scope: readonly string[] }[] {
  const others = [...state.active.values()].filter(({ registered }) => registered.delegation !== own);
  return others.map(({ registered: { task } }) => ({ task, scope: findTask(state, task)?.planned.scope ?? [] }));
}

export async function checkAgentEdit(input: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  const seen = runSnapshot(hookRun);
  const member = await findMemberAbove(seen, input);
  if (member === undefined) return nothing;
  const { planned, role, wave } = member.task;
  const { planFile, created } = seen.state;
  const { report, worklog } = filesOf(hookRun.run, wave, planned.id, member.delegation);
  const why = editRefusal(pathIn(input, hookRun), {
    task: planned.id,
    scope: isReview(role) ? [report, worklog] : planned.scope,
    forbidden: [...(created.workspace?.forbidden ?? []), ...(planned.forbidden ?? [])],
    own: [report, worklog],
    planFile,
    taken: otherScopes(seen.state, member.delegation),
  });
  return why === undefined ? nothing : deny(why);
}
