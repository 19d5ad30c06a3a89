/**
 * Stop: the conversation is about to become idle. Agents that the client does not list as running in the background are recorded as
 * lost, and a conductor that the run still needs is asked to continue. Exit code 2 delivers the request once, a decision twice.
 */
import { type Conduct, readyNow } from '../../conversation/conduct.ts';
import { inRun } from '../../conversation/in-run.ts';
import { judgeStop } from '../../conversation/judge-stop.ts';
import { type Member, memberOf } from '../../conversation/member.ts';
import type { RunState } from '../../core/state/state.ts';
import { heldText } from '../../views/brief/here-text.ts';
import { type HookAnswer, nothing } from '../answer.ts';
import type { HookInput } from '../hook-input.ts';
import { advanceReadOnly, runSnapshot } from '../run-snapshot.ts';
import type { HookRun } from '../hook-run.ts';

/** Milliseconds in which the client may not list a starting agent yet. */
const beginning = 10_000;

export async function conversationStop(input: HookInput, hookRun: HookRun): Promise<HookAnswer> {
  const seen = runSnapshot(hookRun);
  const isAnyGone = goneMembers(seen.state, input).length > 0;
  const work = isAnyGone ? undefined : advanceReadOnly(seen);
  if (work !== undefined && judgeStop(seen.state, work, input) === undefined) return nothing;
  const { withConduct } = await import('../with-conduct.ts');
  return withConduct(hookRun, (conduct) => stop(input, conduct), seen);
}

async function stop(input: HookInput, conduct: Conduct): Promise<HookAnswer> {
  const gone = inRun(conduct, ({ state }) => goneMembers(state, input));
  if (gone.length > 0) await (await import('../../conversation/take-return.ts')).endLostDelegations(conduct, gone);
  return inRun(conduct, ({ state, record, advance }) => {
    const work = advance();
    const event = judgeStop(state, work, input);
    if (event === undefined) return nothing;
    record(event);
    if (event.kind === 'conductor.left') return nothing;
    return { kind: 'continue', message: heldText(state, readyNow(work, conduct.roles)) };
  });
}

function goneMembers(state: RunState, { inBackground }: HookInput): Member[] {
  const isGone = ({ task, active }: Member): boolean => {
    if (active === undefined || active.registered.at + beginning > Date.now()) return false;
    const conversation = task.attempt?.conversation ?? null;
    return conversation === null || !inBackground.includes(conversation.id);
  };
  return [...state.active.keys()].flatMap((id) => memberOf(state, id) ?? []).filter(isGone);
}
