/**
 * A turn that its client ended because a permission was refused. Some clients let their agent continue after a refusal, others end
 * the turn, as if a person had stopped it: then Divisi asks the agent to continue without what was refused.
 */
import type { JsonObject } from '../../base/json-value.ts';
import { redactedLine } from '../../base/text.ts';

/** What the client asked for on behalf of its agent, and why it was refused. */
export interface Refusal {
  readonly asked: string;
  readonly why: string;
}

/** Turns of one conversation that continue after a refusal. */
const mostContinued = 5;

/** The refusals that ended the turn; none if it ended for another reason. `unanswered`: the agent said nothing after them. */
export function endingRefusals(unanswered: readonly Refusal[], response: JsonObject): readonly Refusal[] {
  const { stopReason } = response;
  return stopReason === 'cancelled' || stopReason === 'end_turn' ? unanswered : [];
}

/** Decides whether to continue: only after a refusal of something new, and not without end. */
export function continuations(): (refusals: readonly Refusal[]) => boolean {
  const known = new Set<string>();
  let count = 0;
  return (refusals) => {
    const isNew = refusals.some(({ asked }) => !known.has(asked));
    refusals.forEach(({ asked }) => known.add(asked));
    count += 1;
    return isNew && count <= mostContinued;
  };
}

/** Asks the agent to continue its work. */
export function continueMessage(refusals: readonly Refusal[]): string {
  return [
    ...listed(refusals),
    '',
    'This is final: do not ask for it again. Nothing else has changed. Continue your task without it, and return as you were asked to. If the task cannot be done without it, return that it failed, and name what was refused.',
  ].join('\n');
}

/** Why the turn failed. */
export function refusalText(refusals: readonly Refusal[]): string {
  return `${listed(refusals).join('; ')}; the agent did not continue without it`;
}

const mostListed = 5;

function listed(refusals: readonly Refusal[]): string[] {
  const lines = refusals.map(({ asked, why }) => `${redactedLine(asked, 200)} was refused: ${redactedLine(why, 200)}`);
  return [...new Set(lines)].slice(0, mostListed);
}
