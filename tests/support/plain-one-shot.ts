/** A program whose lines say plainly what they tell, for tests of everything that is the same for all of them. */
import { join } from 'node:path';
import { objectOf } from '../../src/base/json-value.ts';
import type { OneShot, Told } from '../../src/drivers/one-shot/one-shot.ts';

export const plainOneShot: OneShot = {
  program: 'no-such-program',
  returnWay: 'message',
  resumesElsewhere: true,
  forgotten: /never heard of it/,
  call: ({ strength, conversation = 'new', isReview, files, prompt, environment }) => ({
    args: [
      strength.model ?? '',
      strength.effort ?? '',
      conversation,
      isReview ? 'review' : 'work',
      join(files, 'note.txt'),
    ],
    input: prompt,
    write: { 'note.txt': 'to be read' },
    variables: environment['CALL'] === undefined ? {} : { CALL: `on top of ${environment['CALL']}` },
  }),
  reader: () => (line) => {
    const { told } = objectOf(line);
    return Array.isArray(told) ? (told as Told[]) : [];
  },
};
