/**
 * What is made of what a program tells while its turn lasts: its conversation is noted, what is said is shown, what it refused
 * its agent is noted. All of it is another's words, and there may be no end of it.
 */
import type { FileHandle } from 'node:fs/promises';
import { isConversationId } from '../conversation-id.ts';
import type { DriverNote } from '../driver.ts';
import { toldMessage } from '../failure-message.ts';
import type { Told } from './one-shot.ts';

export interface Hearing {
  readonly take: (told: Told) => Promise<void>;
  /** When nothing more is told. */
  readonly end: () => void;
}

interface Hears {
  readonly said: FileHandle;
  /** The conversation that the turn is in: the first that the program names. */
  readonly heard: (conversation: string) => void;
  readonly note: (note: DriverNote) => void;
}

const mostRefusals = 50;
/** Of what is told of a refusal. */
const mostWords = 200;

export function hearing({ said, heard, note }: Hears): Hearing {
  let conversation: string | undefined;
  let refusals = 0;
  const refused = (asked: string, why: string): void => note({ kind: 'permission', asked, granted: false, why });
  return {
    take: async (told) => {
      if (told.kind === 'said') await said.appendFile(told.text);
      if (told.kind === 'conversation' && conversation === undefined && isConversationId(told.id)) {
        conversation = told.id;
        heard(conversation);
      }
      if (told.kind !== 'refused') return;
      refusals += 1;
      if (refusals <= mostRefusals) refused(toldMessage(told.asked, mostWords), toldMessage(told.why, mostWords));
    },
    end: () => {
      const more = refusals - mostRefusals;
      if (more > 0) refused(`${more} more`, `of one turn, ${mostRefusals} refusals are noted one by one`);
    },
  };
}
