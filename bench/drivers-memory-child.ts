/** Drives the given delegations at once and prints the memory used. The model and the scripts are elsewhere. */
import { once } from 'node:events';
import { contractSchema } from '../src/contracts/write/json-schema.ts';
import { driverTask } from '../tests/conformance/driver-task.ts';
import { contract, driverOf } from '../tests/clients/drive.ts';
import type { ClientFacts } from '../tests/clients/facts.ts';

export interface Load {
  readonly facts: ClientFacts;
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  /** One delegation in each. */
  readonly directories: readonly string[];
}

/** Bytes. */
export interface Held {
  /** As the system counts it, garbage included. */
  readonly resident: number;
  /** Of JavaScript and its buffers, after a collection. */
  readonly live: number;
}

const [{ facts, root, environment, directories }] = (await once(process, 'message')) as [Load];
const driver = driverOf(facts, { root }, environment);
const stop = new AbortController();
const conversations = directories.map((directory) => {
  const task = driverTask(directory, { prompt: 'Do it.', returnSchema: contractSchema(contract) });
  return driver.start(task, stop.signal, () => undefined);
});

// The parent may be gone: nothing is left behind then either.
await Promise.race([once(process, 'message'), once(process, 'disconnect')]);
const { rss: resident } = process.memoryUsage();
await globalThis.gc?.({ execution: 'async', type: 'major' });
const { heapUsed, external } = process.memoryUsage();
if (process.connected) process.send?.({ resident, live: heapUsed + external } satisfies Held);
stop.abort('at-once');
await Promise.all(conversations.map(({ close }) => close()));
if (process.connected) process.disconnect();
