/** TurnRecorder: records a running turn. It notes the conversation and each refusal, and writes the agent's words to a file. */
import type { FileHandle } from 'node:fs/promises';
import { isConversationId } from '../conversation-id.ts';
import type { DriverNote } from '../driver.ts';
import { errorLine } from '../failure-message.ts';
import type { TurnEntry } from './turn-account.ts';

export interface TurnRecorder {
  readonly take: (entry: TurnEntry) => Promise<void>;
  /** Called once, after the last entry. */
  readonly end: () => void;
}

interface RecorderOptions {
  readonly output: FileHandle;
  /** Called with the first conversation that the program names. */
  readonly onConversation: (id: string) => void;
  readonly note: (note: DriverNote) => void;
}

const mostRefusals = 50;
/** Characters of a refusal's words. */
const mostWords = 200;

export function turnRecorder({ output, onConversation, note }: RecorderOptions): TurnRecorder {
  let conversation: string | undefined;
  let refusals = 0;
  const refused = (asked: string, why: string): void => note({ kind: 'permission', asked, granted: false, why });
  return {
    take: async (entry) => {
      if (entry.kind === 'said') await output.appendFile(entry.text);
      if (entry.kind === 'conversation' && conversation === undefined && isConversationId(entry.id)) {
        conversation = entry.id;
        onConversation(conversation);
      }
      if (entry.kind !== 'refused') return;
      refusals += 1;
      if (refusals <= mostRefusals) refused(errorLine(entry.asked, mostWords), errorLine(entry.why, mostWords));
    },
    end: () => {
      const more = refusals - mostRefusals;
      if (more > 0) refused(`${more} more`, `only the first ${mostRefusals} refusals of a turn are noted one by one`);
    },
  };
}
