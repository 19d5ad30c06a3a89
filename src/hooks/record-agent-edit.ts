/** Records that an agent of the run has written a file: verification attributes the change to it. */
import { leaveOneMessage } from '../ledger/leave-message.ts';
import { type HookAnswer, nothing } from './answer.ts';
import { findMemberAbove } from './find-member.ts';
import type { HookInput } from './hook-input.ts';
import { runSnapshot } from './run-snapshot.ts';
import { pathIn } from './path-in.ts';
import { ledgerFile } from '../workspace/places.ts';
import type { HookRun } from './hook-run.ts';

export async function recordAgentEdit(input: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  const member = await findMemberAbove(runSnapshot(hookRun), input);
  const path = pathIn(input, hookRun);
  if (member === undefined || path === undefined) return nothing;
  const { delegation } = member;
  const file = ledgerFile(hookRun.project, hookRun.environment);
  leaveOneMessage(file, hookRun.run, { kind: 'touched', delegation, path }, Date.now());
  return nothing;
}
