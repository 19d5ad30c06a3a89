/** How much later the first model request comes when a driver of ours makes the call. */
import { readFileSync } from 'node:fs';
import { contractSchema } from '../src/contracts/json-schema.ts';
import type { DriverTask } from '../src/drivers/driver.ts';
import { driverTask } from '../tests/conformance/driver-task.ts';
import { contract, driverOf, type Ground, worktreeIn } from '../tests/clients/drive.ts';
import type { ClientFacts } from '../tests/clients/facts.ts';
import { startModelApi } from '../tests/clients/model-api/model-api.ts';
import { pointAt } from '../tests/clients/programs.ts';
import { bareServer, prepareBare, type Running } from './drivers-bare.ts';
import { median } from './measure.ts';

export interface FirstRequest {
  /** Milliseconds, medians; `difference` is that of the differences of neighbours. */
  readonly ours: number;
  readonly bare: number;
  readonly difference: number;
  /** Between which half of the differences lie. */
  readonly half: readonly [number, number];
  /** Of `difference`, what our own process was at work for: processor time, which another process does not lengthen. */
  readonly atWork: number;
  readonly pairs: number;
}

const fewest = 5;
const most = 25;
const patience = 60_000;

interface Timed {
  readonly milliseconds: number;
  readonly processor: number;
  /** Arguments and environment as the system has them, without what names the delegation. */
  readonly call: string;
}

/** At least five pairs, and more where there is time for them. Who goes first takes turns as well. */
export async function measureFirstRequest(facts: ClientFacts, ground: Ground, seconds: number): Promise<FirstRequest> {
  const arrivals = new Map<string, () => void>();
  const api = await startModelApi(({ messages }) => {
    for (const [word, arrived] of arrivals) if (messages.some(({ text }) => text.includes(word))) arrived();
    return { does: 'stall' };
  });
  const directory = worktreeIn(ground.root);
  const own = { PATH: `${ground.bin}:/usr/bin:/bin`, ...pointAt(api.url, facts.client, ground.home) };
  const driver = driverOf(facts, ground, own);
  const returnSchema = contractSchema(contract);
  const server = await bareServer(returnSchema);

  const startOurs = (task: DriverTask) => (): Running => {
    const stop = new AbortController();
    const pid = Promise.withResolvers<number>();
    const conversation = driver.start(task, stop.signal, (note) => {
      if (note.kind === 'started') pid.resolve(note.pid ?? 0);
    });
    const broken = conversation.first.then((turn) => Promise.reject(new Error(JSON.stringify(turn))));
    broken.catch(() => undefined);
    const end = async (): Promise<void> => {
      stop.abort('at-once');
      await conversation.close();
    };
    return { pid: pid.promise, broken, end };
  };
  const time = async (side: 'ours' | 'bare'): Promise<Timed> => {
    const plain = driverTask(directory, { returnSchema });
    const task = { ...plain, prompt: `Do it: ${plain.delegation}.` };
    const start = side === 'ours' ? startOurs(task) : prepareBare(facts, task, own, server);
    const arrived = new Promise<number>((resolve) => {
      arrivals.set(task.delegation, () => resolve(performance.now()));
    });
    const [begun, worked] = [performance.now(), process.cpuUsage()];
    const running = start();
    try {
      const milliseconds = (await Promise.race([arrived, running.broken, late(facts, side)])) - begun;
      const { user, system } = process.cpuUsage(worked);
      return { milliseconds, processor: (user + system) / 1000, call: callOf(await running.pid, task) };
    } finally {
      arrivals.delete(task.delegation);
      await running.end();
    }
  };

  try {
    const pairs: Pair[] = [];
    for (let until = Date.now() + seconds * 1000; pairs.length < fewest || Date.now() < until;) {
      const isFirst = pairs.length % 2 === 0;
      const one = await time(isFirst ? 'ours' : 'bare');
      const other = await time(isFirst ? 'bare' : 'ours');
      if (one.call !== other.call) throw new Error(`not the same call:\n${one.call}\n\n${other.call}`);
      pairs.push(isFirst ? { ours: one, bare: other } : { ours: other, bare: one });
      if (pairs.length === most) break;
    }
    return summary(pairs);
  } finally {
    server.close();
    await api.close();
  }
}

interface Pair {
  readonly ours: Timed;
  readonly bare: Timed;
}

function summary(pairs: readonly Pair[]): FirstRequest {
  const beyond = (of: 'milliseconds' | 'processor'): number[] => pairs.map(({ ours, bare }) => ours[of] - bare[of]);
  const differences = beyond('milliseconds').toSorted((a, b) => a - b);
  const at = (share: number): number => differences[Math.round((differences.length - 1) * share)] ?? Number.NaN;
  return {
    ours: median(pairs.map(({ ours }) => ours.milliseconds)),
    bare: median(pairs.map(({ bare }) => bare.milliseconds)),
    difference: median(differences),
    half: [at(0.25), at(0.75)],
    atWork: median(beyond('processor')),
    pairs: pairs.length,
  };
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
