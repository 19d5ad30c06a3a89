/** Measures our memory per delegation: a process that drives eight at once, minus one that drives one. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { groundFor, type Ground, roomIn } from '../tests/clients/drive.ts';
import { type ClientFacts, oneShots, overAcp } from '../tests/clients/facts.ts';
import { writeCall } from '../tests/clients/model-api/choose-tool.ts';
import { startModelApi } from '../tests/clients/model-api/model-api.ts';
import type { Script } from '../tests/clients/model-api/script.ts';
import { pointAt } from '../tests/clients/programs.ts';
import { atMost, type Figures, type Print, recorded, rounded, sized } from './bench.ts';
import type { Held, Load } from './drivers-memory-child.ts';
import { median } from './measure.ts';

const many = sized(8, 2);
const rounds = sized(3, 1);
const patience = 60_000;
const megabyte = 1024 * 1024;

/** As much as an agent says in a long task. */
const words = 'It continues, and says what it does. '.repeat(3000);

async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  const late = sleep(patience, undefined, { ref: false }).then(() => Promise.reject(new Error(`${what}: too late`)));
  return Promise.race([promise, late]);
}

async function answerOf(child: ChildProcess): Promise<Held> {
  const [held] = (await once(child, 'message')) as [Held];
  return held;
}

async function hold(facts: ClientFacts, ground: Ground, count: number): Promise<Held> {
  const all = Promise.withResolvers<void>();
  let silent = 0;
  const script: Script = ({ tools, turn }) => {
    if (turn === 0) return { does: 'call', text: words, calls: [writeCall(tools, 'made.txt', 'made\n')] };
    silent += 1;
    if (silent === count) all.resolve();
    return { does: 'stall' };
  };
  const api = await startModelApi(script);
  const load: Load = {
    facts,
    root: ground.root,
    environment: { PATH: `${ground.bin}:/usr/bin:/bin`, ...pointAt(api.url, facts.client, ground.home) },
    directories: Array.from({ length: count }, () => roomIn(ground.root)),
  };
  const child = fork(join(import.meta.dirname, 'drivers-memory-child.ts'), { execArgv: ['--expose-gc'] });
  try {
    child.send(load);
    await within(all.promise, `${count} × ${facts.client} by ${facts.way}, ${silent} of them still running`);
    await sleep(500);
    const answer = answerOf(child);
    child.send('measure');
    const held = await within(answer, 'memory');
    await within(once(child, 'exit'), 'the end of the process');
    return held;
  } finally {
    child.kill('SIGKILL');
    await api.close();
  }
}

interface Difference extends Held {
  readonly one: Held;
}

async function perDelegation(facts: ClientFacts): Promise<Difference> {
  const ground = groundFor(facts);
  try {
    const ones: Held[] = [];
    const manys: Held[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ones.push(await hold(facts, ground, 1));
      manys.push(await hold(facts, ground, many));
    }
    const middle = (helds: readonly Held[], of: keyof Held): number => median(helds.map((held) => held[of]));
    const each = (of: keyof Held): number => (middle(manys, of) - middle(ones, of)) / (many - 1) / megabyte;
    const one = { resident: middle(ones, 'resident') / megabyte, live: middle(ones, 'live') / megabyte };
    return { resident: each('resident'), live: each('live'), one };
  } finally {
    ground.clear();
  }
}

/** The lightest program of each way: what it needs itself does not count. */
export async function measureMemory(print: Print): Promise<Figures> {
  const acp = overAcp.find(({ client }) => client === 'goose');
  const oneShot = oneShots.find(({ client }) => client === 'codex');
  let figures: Figures = {};
  print(`Our own memory per further delegation, ${many} at once (medians of ${rounds}; MB):`);
  for (const [name, facts] of Object.entries({ 'over ACP': acp, 'one-shot': oneShot })) {
    if (facts === undefined) throw new Error(`nothing to drive ${name}`);
    const { resident, live, one } = await perDelegation(facts);
    print(
      `  ${name} (${facts.client}): ${rounded(resident)} resident, ${rounded(live)} alive after a collection; the process with one: ${rounded(one.resident)} and ${rounded(one.live)}`,
    );
    figures = {
      ...figures,
      [`memory per additional delegation, ${name}`]: atMost(5, resident, 'MB, resident set'),
      [`memory alive per additional delegation, ${name}`]: recorded(live, 'MB, after a collection'),
    };
  }
  return figures;
}
