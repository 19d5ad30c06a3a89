import { expect, it } from 'vitest';
import { outcomeFrom } from '../../core/event/make-outcome.ts';
import type { FailureClass } from '../../gates/failure-policy.ts';
import { blameRefusals } from './blame-refusals.ts';

const refused = [{ asked: 'edit /etc/hosts', why: "outside the task's folder" }];
const failed = (message: string, kind: FailureClass = 'agent-error') =>
  outcomeFrom({ failure: { class: kind, message } });

it('a failure that a refusal explains is for a person, and names it', () => {
  expect(blameRefusals(failed('permission denied for the hosts file'), refused)).toMatchObject({
    failure: {
      class: 'environment',
      message: "permission denied for the hosts file; edit /etc/hosts was refused: outside the task's folder",
    },
  });
});

it.each([
  ['another explanation', failed('the tests are too hard'), refused],
  ['nothing refused', failed('permission denied'), []],
  ['another class', failed('permission denied', 'limit'), refused],
  ['success', outcomeFrom({ summary: 'worked around a refused permission' }), refused],
])('%s changes nothing', (_, outcome, given) => {
  expect(blameRefusals(outcome, given)).toBe(outcome);
});
