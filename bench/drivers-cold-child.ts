/** Makes one call, the first of its process, and says when it did. The model is elsewhere. */
import { once } from 'node:events';
import type { DriverTask } from '../src/drivers/driver.ts';
import { driverOf } from '../tests/clients/drive.ts';
import type { ClientFacts } from '../tests/clients/facts.ts';
import { prepareBare } from './drivers-bare.ts';
import { prepareOurs } from './drivers-ours.ts';
import type { Side } from './drivers-pairs.ts';

export interface ColdCall {
  readonly facts: ClientFacts;
  readonly root: string;
  readonly own: Readonly<Record<string, string>>;
  readonly server: { readonly url: string; readonly token: string };
  readonly task: DriverTask;
  readonly side: Side;
}

export interface Begun {
  /** Milliseconds of the wall clock. */
  readonly begun: number;
}

export interface Worked {
  /** Milliseconds of the processor since then. */
  readonly processor: number;
  /** Of the program. */
  readonly pid: number;
}

/** False when the asking process is gone. */
async function told(): Promise<boolean> {
  const gone = once(process, 'disconnect').then(() => false);
  return process.connected && Promise.race([once(process, 'message').then(() => true), gone]);
}

const [{ facts, root, own, server, task, side }] = (await once(process, 'message')) as [ColdCall];
const start =
  side === 'ours'
    ? prepareOurs(driverOf(facts, { root }, own), task)
    : prepareBare(facts, task, own, { ...server, close: () => undefined });
const [begun, worked] = [performance.timeOrigin + performance.now(), process.cpuUsage()];
const running = start();
process.send?.({ begun } satisfies Begun);
if (await told()) {
  const { user, system } = process.cpuUsage(worked);
  process.send?.({ processor: (user + system) / 1000, pid: await running.pid } satisfies Worked);
  await told();
}
await running.end();
if (process.connected) process.disconnect();
