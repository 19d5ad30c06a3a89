/** An agent of the run is about to write a file: inside of its task's scope it may. */
import { editRefusal } from '../conversation/permit.ts';
import { filesOf } from '../delegation/delegation-files.ts';
import { deny, type HookAnswer, nothing } from './answer.ts';
import { findMemberAbove } from './find-member.ts';
import type { HookInput } from './hook-input.ts';
import { look } from './look.ts';
import { pathIn } from './path-in.ts';
import type { Where } from './step.ts';

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
  });
  return why === undefined ? nothing : deny(why);
}
