/** Measures the cost of a driver on top of its agent program: time, memory, model calls. */
import { availableParallelism, loadavg } from 'node:os';
import { groundFor } from '../tests/clients/drive.ts';
import { type ClientFacts, oneShots, overAcp } from '../tests/clients/facts.ts';
import { programPath } from '../tests/clients/programs.ts';
import {
  atMost,
  type Bench,
  type Figure,
  type Figures,
  type Print,
  recorded,
  rounded,
  sized,
  isQuick,
} from './bench.ts';
import { compareCold, compareWarm } from './drivers-first-request.ts';
import { type Calls, countCalls } from './drivers-hidden-calls.ts';
import { measureMemory } from './drivers-memory.ts';
import type { Compared } from './drivers-pairs.ts';

/** On each program and way, beyond the fewest pairs. */
const seconds = sized(6, 0);
const goal = 50;

/** The fastest to start: nothing of ours is hidden behind its own start. */
const quickest = 'goose over ACP';

const isLight = ({ client, way }: ClientFacts): boolean => client === (way === 'acp' ? 'goose' : 'codex');
const programs: readonly ClientFacts[] = [...overAcp, ...oneShots].filter((facts) => !isQuick || isLight(facts));

const nameOf = ({ client, way }: ClientFacts): string => `${client} ${way === 'acp' ? 'over ACP' : 'one-shot'}`;

const columns = ['ours', 'bare', 'more', '   half of them', 'fastest', 'processor', 'ratio', 'pairs', 'hidden calls'];

function line(name: string, cells: readonly string[]): string {
  const padded = cells.map((cell, at) => cell.padStart(Math.max(5, (columns[at] ?? '').length) + 2));
  return `  ${name.padEnd(22)}${padded.join('')}`;
}

const whole = (value: number): string => String(Math.round(value));

function row({ ours, bare, difference, half, fastest, processor, pairs }: Compared, calls?: Calls): string[] {
  const spread = half.map(whole).join(' to ');
  const times = [whole(ours), whole(bare), whole(difference), spread, whole(fastest), whole(processor)];
  const hidden = calls === undefined ? '' : `${calls.hidden} of ${calls.made}`;
  return [...times, String(rounded(ours / bare)), String(pairs), hidden];
}

/** What is known of a goal that was missed. */
function reason(name: string, { difference, half, fastest, processor }: Compared): string[] {
  if (difference <= goal) return [];
  const known = [
    `half of the differences lie between ${half.map(whole).join(' and ')} ms`,
    `the fastest of each differ by ${whole(fastest)} ms`,
    `our own process used ${whole(processor)} ms more processor time than bare`,
  ];
  return [`  ${name} is over the goal: ${known.join(', ')}`];
}

interface Measured {
  readonly name: string;
  readonly time: Compared;
  readonly calls: Calls;
}

async function measurePrograms(print: Print): Promise<Figures> {
  const measured: Measured[] = [];
  let cold: Compared | undefined;
  const busy = `${availableParallelism()} processors, load ${rounded(loadavg()[0] ?? 0)} before the first call`;
  print(`To the first model request, milliseconds (medians), and model calls of a whole task; ${busy}:`);
  print(line('', columns));
  for (const facts of programs) {
    const name = nameOf(facts);
    const ground = groundFor(facts);
    try {
      // Also what unpacks the program in its new home and warms up our own modules.
      const calls = await countCalls(facts, ground);
      const time = await compareWarm(facts, ground, seconds);
      print(line(name, row(time, calls)));
      measured.push({ name, time, calls });
      if (name !== quickest) continue;
      cold = await compareCold(facts, ground, seconds);
      print(line(`  in a new process`, row(cold)));
    } finally {
      ground.clear();
    }
  }
  print(...measured.flatMap(({ name, time }) => reason(name, time)), '');
  return figuresOf(measured, cold);
}

function figuresOf(measured: readonly Measured[], cold: Compared | undefined): Figures {
  const time = 'time to the first model request beyond bare';
  const worst = (of: 'difference' | 'processor'): number => Math.max(...measured.map((one) => one.time[of]));
  const each = (before: string, figure: (one: Measured) => Figure): [string, Figure][] =>
    measured.map((one) => [`${before}, ${one.name}`, figure(one)]);
  return {
    [`${time}, the worst`]: atMost(goal, worst('difference'), 'ms'),
    ...Object.fromEntries(each(time, (one) => atMost(goal, one.time.difference, 'ms'))),
    ...(cold && { [`${time}, ${quickest}, the first delegation of a process`]: recorded(cold.difference, 'ms') }),
    'processor time of our own until then beyond bare, the worst': recorded(worst('processor'), 'ms'),
    ...Object.fromEntries(each('hidden model calls per delegation', ({ calls }) => atMost(0, calls.hidden, 'calls'))),
  };
}

export const drivers: Bench = {
  compares: `delegations to the real agent programs through our drivers, against the same programs called directly ("bare").
  Both sides give the program the same arguments, environment, input and folder (checked on the running processes),
  and over ACP the same requests. The bare side is a spawn and, over ACP, a loop over lines of JSON and a server
  that only answers, in place of our server for submitted results. The time is from the call of the driver (or of
  spawn) until the scripted model API on 127.0.0.1 gets the first request; the room exists before. Sides take turns, in a
  process and a home that have run the program before. "more" is the median of the differences between neighbours, "half of
  them" the range of the middle half, "fastest" our fastest minus the fastest bare, "processor" the median
  difference in processor time of our own process, which a busy machine does not lengthen.
  A hidden call is a call to the model API that is not a step of the script. Memory is that of a separate process that drives
  eight delegations at once until each agent has spoken, written a file and waits for its model, minus the same with one.`,
  run: async (print) => {
    // Says how to install what is missing, before anything has begun.
    programs.forEach(({ client }) => programPath(client));
    return { ...(await measurePrograms(print)), ...(await measureMemory(print)) };
  },
};
