/** Model calls of a delegation that its script does not account for: titles, summaries, suggestions, calls made twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import { drive, good, type Ground } from '../tests/clients/drive.ts';
import type { ClientFacts } from '../tests/clients/facts.ts';
import { inOrder } from '../tests/clients/model-api/script.ts';

export interface Calls {
  readonly made: number;
  readonly hidden: number;
}

/** Some are made when the turn is over. */
const patience = 500;

/** A whole task: a file is written, the result returned. */
export async function countCalls(facts: ClientFacts, ground: Ground): Promise<Calls> {
  const script = inOrder({ does: 'write', path: 'made.txt', text: 'made\n' }, good, { does: 'say', text: 'Done.' });
  const { first, api, close } = await drive(facts, ground, script);
  try {
    const turn = await first;
    if (turn.end !== 'returned' || api.faults.length > 0) {
      throw new Error(`${facts.client} by ${facts.way} did not do its task: ${JSON.stringify([turn, api.faults])}`);
    }
    await sleep(patience);
    const asked = api.requests.filter(({ tools }) => tools.length > 0).map(({ turn }) => turn);
    return { made: api.requests.length, hidden: api.requests.length - new Set(asked).size };
  } finally {
    await close();
  }
}
