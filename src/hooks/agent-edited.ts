/** Records that an agent of the run has written a file, so that verification can attribute the change. */
import { join } from 'node:path';
import { leaveOneMessage } from '../ledger/leave-message.ts';
import { type HookAnswer, nothing } from './answer.ts';
import { findMemberAbove } from './find-member.ts';
import type { HookInput } from './hook-input.ts';
import { look } from './look.ts';
import { pathIn } from './path-in.ts';
import type { Where } from './where.ts';

export async function agentEdited(input: HookInput, where: Where): Promise<HookAnswer> {
  const member = await findMemberAbove(look(where), input);
  const path = pathIn(input, where);
  if (member === undefined || path === undefined) return nothing;
  const { delegation } = member;
  const file = join(where.project, '.divisi', 'ledger.db');
  leaveOneMessage(file, where.run, { kind: 'touched', delegation, path }, Date.now());
  return nothing;
}
