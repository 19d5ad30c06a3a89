/**
 * Judges a stop of the conductor. It may stop while agents of the run are still running in the background, because their ends wake
 * it, and to ask a person about a checkpoint. Any other stop leaves the run to nobody: the conductor is held, three times in a row
 * without progress; then it has left the run.
 */
import type { NewEvent } from '../core/event/event.ts';
import { mostHolds } from '../core/state/conductor.ts';
import { openCheckpoints, type RunState } from '../core/state/state.ts';
import type { RemainingWork } from './advance.ts';
import { memberByAgent } from './member.ts';

export interface ConductorStop {
  readonly lastMessage: string;
  /** Ids of the client's background agents. */
  readonly inBackground: readonly string[];
}

export type StopEvent = Extract<NewEvent, { kind: 'conductor.held' | 'conductor.left' }>;

/** The event of a stop that leaves the run to nobody; undefined for any other. Lost agents have been accounted for. */
export function judgeStop(state: RunState, work: RemainingWork, stop: ConductorStop): StopEvent | undefined {
  const { conductor, status } = state;
  if (status !== 'running' || conductor === null || waitsForAgents(state, stop) || asksPerson(state, stop))
    return undefined;
  const isNeeded = work.ready.length + work.toVerify.length + openCheckpoints(state).length > 0;
  if (isNeeded && conductor.holds < mostHolds) return { kind: 'conductor.held', hold: conductor.holds + 1 };
  return conductor.left === null ? { kind: 'conductor.left', why: 'stopped' } : undefined;
}

/** An agent is in the background until its return is recorded and verified. */
function waitsForAgents(state: RunState, { inBackground }: ConductorStop): boolean {
  return state.active.size > 0 || inBackground.some((agent) => memberByAgent(state, agent) !== undefined);
}

/** A person is asked in the conductor's own words: a question, or the name of the checkpoint. */
function asksPerson(state: RunState, { lastMessage }: ConductorStop): boolean {
  return openCheckpoints(state).some(({ id }) => /[?？؟]/.test(lastMessage) || lastMessage.includes(id));
}
