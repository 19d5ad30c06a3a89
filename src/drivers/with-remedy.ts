/** Puts beside a failure that a person has to mend what the person can do about it. */
import type { Conversation, Driver, Turn } from './driver.ts';
import type { Profile } from './profiles/profile.ts';

export function withRemedy(driver: Driver, profile: Pick<Profile, 'title' | 'install' | 'access'>): Driver {
  return {
    ...driver,
    start: (task, signal, note) => told(driver.start(task, signal, note), profile),
  };
}

function told(conversation: Conversation, profile: Pick<Profile, 'title' | 'install' | 'access'>): Conversation {
  return {
    ...conversation,
    first: conversation.first.then((turn) => remedied(turn, profile)),
    repair: (message) => conversation.repair(message)?.then((turn) => remedied(turn, profile)) ?? null,
  };
}

function remedied(turn: Turn, { title, install, access }: Pick<Profile, 'title' | 'install' | 'access'>): Turn {
  if (turn.end !== 'failed') return turn;
  if (turn.cause === 'environment') return { ...turn, message: `${title}: ${turn.message}. ${access}` };
  return turn.cause === 'not-started'
    ? { ...turn, message: `${title}: ${turn.message}. To have it: ${install}` }
    : turn;
}
