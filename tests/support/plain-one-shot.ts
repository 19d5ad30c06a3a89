/** A program whose lines are entries already, to test everything that all programs share. */
import { join } from 'node:path';
import { objectOf } from '../../src/base/json-value.ts';
import type { Entry } from '../../src/dialects/entry.ts';
import type { OneShot } from '../../src/drivers/one-shot/one-shot.ts';

export const plainOneShot: OneShot = {
  program: 'no-such-program',
  returnWay: 'message',
  resumesElsewhere: true,
  limits: { turns: 'counted', tokens: 'counted', cost: 'counted' },
  unusableConversation: /never heard of it/,
  call: ({ strength, conversation = 'new', newConversation, isReview, files, prompt, environment }) => ({
    args: [
      strength.model ?? '',
      strength.effort ?? '',
      conversation,
      isReview ? 'review' : 'work',
      join(files, 'note.txt'),
      ...(newConversation === undefined ? [] : [newConversation]),
    ],
    input: prompt,
    write: { 'note.txt': 'to be read' },
    variables: environment['CALL'] === undefined ? {} : { CALL: `on top of ${environment['CALL']}` },
  }),
  reader: () => (line) => {
    const { entries } = objectOf(line);
    return Array.isArray(entries) ? (entries as Entry[]) : [];
  },
};
