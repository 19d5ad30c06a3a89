/** A rule looks at an event and at what was there before it, and says what does not hold. */
import type { EventOf, RunEvent } from '../../src/core/event/event.ts';
import type { EventKind } from '../../src/core/event/event-kinds.ts';
import type { Model } from './model.ts';

export type Check = (holds: boolean, what: string) => void;
export type Rule = (event: RunEvent, model: Model, check: Check) => void;

/** Kinds of events that a rule does not name are nothing to it. */
export type Reactions<Rest extends unknown[]> = { [K in EventKind]?: (event: EventOf<K>, ...rest: Rest) => void };

export function react<Rest extends unknown[]>(reactions: Reactions<Rest>, event: RunEvent, ...rest: Rest): void {
  const reaction = reactions[event.kind] as ((event: RunEvent, ...rest: Rest) => void) | undefined;
  reaction?.(event, ...rest);
}

export function ruleOf(reactions: Reactions<[Model, Check]>): Rule {
  return (event, model, check) => react(reactions, event, model, check);
}
