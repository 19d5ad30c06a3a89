/** Conductor: the conversation that conducts a run, and whether the run still has it. */
import type { EventOf } from '../event/event.ts';

export interface Conductor extends Pick<EventOf<'run.conducted'>, 'client' | 'session' | 'process'> {
  /** Stops in a row that were refused, without progress in between. */
  readonly holds: number;
  /** Why it no longer conducts the run; null while it does. */
  readonly left: EventOf<'conductor.left'>['why'] | null;
}

/** Then a conversation may stop: it does not listen, or a person wants it to. */
export const mostHolds = 3;
