/**
 * A driver for which something has to be made ready when a conversation begins: its program is looked for and its home is made
 * then, and not when the driver is named, because a run may last for days.
 *
 *   preparing → started, or failed (not-started)        closed or cancelled before it is ready: nothing is started
 */
import { messageOf } from '../base/error.ts';
import type { Conversation, Driver, DriverTask, Turn } from './driver.ts';
import { beginTurn, noteEnd } from './said.ts';

/** The driver that is ready, or why there is none. A rejection is a reason as well. */
export type Prepare = () => Promise<Driver | { readonly missing: string }>;

export function preparedDriver(named: Driver, prepare: Prepare): Driver {
  return {
    ...named,
    start: (task, signal, note) => {
      let isClosed = false;
      let conversation: Conversation | undefined;
      const begin = async (): Promise<Turn> => {
        const ready = await prepare().catch((error: unknown) => ({ missing: messageOf(error) }));
        if (isClosed || signal.aborted) return unstarted(task, { end: 'cancelled', said: '' });
        if ('missing' in ready) {
          return unstarted(task, { end: 'failed', cause: 'not-started', message: ready.missing, said: '' });
        }
        conversation = ready.start(task, signal, note);
        return conversation.first;
      };
      const first = begin();
      return {
        first,
        repair: (message) => conversation?.repair(message) ?? null,
        close: async () => {
          isClosed = true;
          if (conversation === undefined) await first.catch(() => undefined);
          await conversation?.close();
        },
      };
    },
  };
}

/** Whoever looks for what it said later finds that it said nothing. */
async function unstarted({ outputFile }: DriverTask, turn: Turn): Promise<Turn> {
  try {
    await beginTurn(outputFile);
    return await noteEnd(outputFile, turn);
  } catch (error) {
    return { end: 'failed', cause: 'not-started', message: messageOf(error), said: '' };
  }
}
