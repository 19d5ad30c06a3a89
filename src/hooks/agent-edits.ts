/** Permits an agent's edit inside the scope of its task, and denies it outside. */
import type { DelegationId } from '../base/ids.ts';
import { findTask, type RunState } from '../core/state/state.ts';
import { editRefusal } from '../conversation/permit.ts';
import { filesOf } from '../delegation/delegation-files.ts';
import { deny, type HookAnswer, nothing } from './answer.ts';
import { findMemberAbove } from './find-member.ts';
import type { HookInput } from './hook-input.ts';
import { look } from './look.ts';
import { pathIn } from './path-in.ts';
import type { Where } from './where.ts';

function othersAtWork(state: RunState, own: DelegationId): { task: string; scope: readonly string[] }[] {
  const others = [...state.active.values()].filter(({ registered }) => registered.delegation !== own);
  return others.map(({ registered: { task } }) => ({ task, scope: findTask(state, task)?.planned.scope ?? [] }));
}

export async function agentEdits(input: HookInput, where: Where): Promise<HookAnswer> {
  const seen = look(where);
  const member = await findMemberAbove(seen, input);
  if (member === undefined) return nothing;
  const { planned, wave } = member.task;
  const { planFile, created } = seen.state;
  const { report, worklog } = filesOf(where.run, wave, planned.id, member.delegation);
  const why = editRefusal(pathIn(input, where), {
    task: planned.id,
    scope: planned.scope,
    forbidden: [...(created.workspace?.forbidden ?? []), ...(planned.forbidden ?? [])],
    own: [report, worklog],
    planFile,
    taken: othersAtWork(seen.state, member.delegation),
  });
  return why === undefined ? nothing : deny(why);
}
