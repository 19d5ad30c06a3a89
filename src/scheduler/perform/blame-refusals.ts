/**
 * Blames a refused permission for a failure that the agent explains with one. A stronger agent would be refused the same, so the
 * task does not escalate: a person allows it or changes the task.
 */
import { redactedLine } from '../../base/text.ts';
import type { Outcome } from '../../core/event/outcome.ts';
import type { DriverNote } from '../../drivers/driver.ts';

export type RefusedPermission = Pick<Extract<DriverNote, { kind: 'permission' }>, 'asked' | 'why'>;

const explains = /\b(?:refus(?:ed|al)|permi(?:ssions?|tted)|denied|declined|rejected|not allowed|forbidden)\b/i;

export function blameRefusals(outcome: Outcome, refused: readonly RefusedPermission[]): Outcome {
  const last = refused.at(-1);
  if (last === undefined || outcome.status === 'completed' || outcome.failure.class !== 'agent-error') return outcome;
  const { message } = outcome.failure;
  if (!explains.test(message) && !explains.test(outcome.summary)) return outcome;
  const refusal = `${redactedLine(last.asked, 200)} was refused: ${redactedLine(last.why, 200)}`;
  return { ...outcome, failure: { class: 'environment', message: `${message}; ${refusal}` } };
}
