/** Measures how much a driver delays the first model request. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractSchema } from '../src/contracts/write/json-schema.ts';
import type { DriverTask } from '../src/drivers/driver.ts';
import { driverTask } from '../tests/conformance/driver-task.ts';
import { contract, driverOf, type Ground, roomIn } from '../tests/clients/drive.ts';
import type { ClientFacts } from '../tests/clients/facts.ts';
import { startModelApi } from '../tests/clients/model-api/model-api.ts';
import { pointAt } from '../tests/clients/programs.ts';
import { type BareServer, bareServer, prepareBare } from './drivers-bare.ts';
import type { Begun, ColdCall, Worked } from './drivers-cold-child.ts';
import { prepareOurs } from './drivers-ours.ts';
import { type Compared, comparePairs, type Side, type Timed } from './drivers-pairs.ts';

const patience = 60_000;
const returnSchema = contractSchema(contract);

/** Where a program finds its task and its model, which answers nothing. */
interface Place {
  readonly directory: string;
  readonly own: Readonly<Record<string, string>>;
  readonly server: BareServer;
  /** When the first request with this word arrives, in milliseconds of the wall clock. */
  readonly arrival: (word: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

async function placeFor({ client }: ClientFacts, ground: Ground): Promise<Place> {
  const awaited = new Map<string, (at: number) => void>();
  const api = await startModelApi(({ messages }) => {
    for (const [word, arrived] of awaited) if (messages.some(({ text }) => text.includes(word))) arrived(now());
    return { does: 'stall' };
  });
  const server = await bareServer(returnSchema);
  return {
    directory: roomIn(ground.root),
    own: { PATH: `${ground.bin}:/usr/bin:/bin`, ...pointAt(api.url, client, ground.home) },
    server,
    arrival: (word) => new Promise((resolve) => void awaited.set(word, resolve)),
    close: async () => {
      server.close();
      await api.close();
    },
  };
}

/** Finer than `Date.now`, and the same for two processes. */
const now = (): number => performance.timeOrigin + performance.now();

function newTask(directory: string): DriverTask {
  const task = driverTask(directory, { returnSchema });
  return { ...task, prompt: `Do it: ${task.delegation}.` };
}

/** In a process that has driven the program before. */
export async function compareWarm(facts: ClientFacts, ground: Ground, seconds: number): Promise<Compared> {
  const { directory, own, server, arrival, close } = await placeFor(facts, ground);
  const driver = driverOf(facts, ground, own);
  const time = async (side: Side): Promise<Timed> => {
    const task = newTask(directory);
    const start = side === 'ours' ? prepareOurs(driver, task) : prepareBare(facts, task, own, server);
    const arrived = arrival(task.delegation);
    const [begun, worked] = [now(), process.cpuUsage()];
    const running = start();
    try {
      const wall = (await Promise.race([arrived, running.broken, late(facts, side)])) - begun;
      const { user, system } = process.cpuUsage(worked);
      return { wall, processor: (user + system) / 1000, call: callOf(await running.pid, task) };
    } finally {
      await running.end();
    }
  };
  try {
    return await comparePairs(time, seconds);
  } finally {
    await close();
  }
}

/** Each call in a process of its own: what a driver loads when it is first used counts. */
export async function compareCold(facts: ClientFacts, ground: Ground, seconds: number): Promise<Compared> {
  const { directory, own, server, arrival, close } = await placeFor(facts, ground);
  const env = { ...process.env, NODE_COMPILE_CACHE: join(ground.root, 'compiled') };
  const time = async (side: Side): Promise<Timed> => {
    const task = newTask(directory);
    const arrived = arrival(task.delegation);
    const child = fork(join(import.meta.dirname, 'drivers-cold-child.ts'), { env });
    const heard = async <T>(): Promise<T> => ((await once(child, 'message')) as [T])[0];
    const gone = once(child, 'exit');
    const ended = gone.then(() => Promise.reject(new Error('the process ended')));
    ended.catch(() => undefined);
    try {
      child.send({
        facts,
        root: ground.root,
        own,
        server: { url: server.url, token: server.token },
        task,
        side,
      } satisfies ColdCall);
      const { begun } = await Promise.race([heard<Begun>(), ended]);
      const at = await Promise.race([arrived, ended, late(facts, side)]);
      child.send('arrived');
      const { processor, pid } = await Promise.race([heard<Worked>(), ended]);
      const timed = { wall: at - begun, processor, call: callOf(pid, task) };
      child.send('end');
      await gone;
      return timed;
    } finally {
      if (child.connected) child.disconnect();
    }
  };
  try {
    await time('ours');
    return await comparePairs(time, seconds);
  } finally {
    await close();
  }
}

async function late({ client, way }: ClientFacts, side: string): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`${client} by ${way} (${side}) asked no model`)), patience);
    timer.unref();
  });
}

function callOf(pid: number, { run, delegation }: DriverTask): string {
  const entries = (of: string): string[] => readFileSync(`/proc/${pid}/${of}`, 'utf8').split('\0');
  const call = [...entries('cmdline'), ...entries('environ').toSorted()].join('\n');
  return call.replaceAll(run, 'RUN').replaceAll(delegation, 'DELEGATION');
}
