/** What a driver costs beside the agent program that it drives: time, memory, model calls. */
import { groundFor } from '../tests/clients/drive.ts';
import { type ClientFacts, oneShots, overAcp } from '../tests/clients/facts.ts';
import { atMost, type Bench, type Figure, type Figures, type Print, recorded, rounded } from './bench.ts';
import { type FirstRequest, measureFirstRequest } from './drivers-first-request.ts';
import { type Calls, countCalls } from './drivers-hidden-calls.ts';
import { measureMemory } from './drivers-memory.ts';

/** On each program and way, beyond the fewest pairs. */
const seconds = 8;

const nameOf = ({ client, way }: ClientFacts): string => `${client} ${way === 'acp' ? 'over ACP' : 'one-shot'}`;

const goal = 50;

const columns = ['ours', 'bare', 'more', 'half of them', 'at work', 'ratio', 'pairs', 'hidden calls'];

const line = (name: string, cells: readonly string[]): string =>
  `  ${name.padEnd(18)}${cells.map((cell, at) => cell.padStart(Math.max(7, (columns[at] ?? '').length) + 2)).join('')}`;

function row({ ours, bare, difference, half, atWork, pairs }: FirstRequest, { hidden, made }: Calls): string[] {
  const [more, from, to, work] = [difference, ...half, atWork].map((value) => String(Math.round(value)));
  const spread = `${from} to ${to}`;
  const times = [ours, bare].map((value) => String(Math.round(value)));
  return [
    ...times,
    more ?? '',
    spread,
    work ?? '',
    String(rounded(ours / bare)),
    String(pairs),
    `${hidden} of ${made}`,
  ];
}

/** What is known of a goal that was missed. */
function reason(name: string, { difference, half: [from, to], atWork }: FirstRequest): string[] {
  if (difference <= goal) return [];
  const [more, work, least, most] = [difference, atWork, from, to].map((value) => Math.round(value));
  const known = `our own process was at work for ${work} ms more than bare, and half of the differences lie between ${least} and ${most} ms`;
  return [`  ${name} is over the goal by ${(more ?? 0) - goal} ms: ${known}`];
}

async function measurePrograms(print: Print): Promise<Figures> {
  const measured: { readonly name: string; readonly time: FirstRequest; readonly calls: Calls }[] = [];
  print('To the first model request, milliseconds (medians), and model calls of a whole task:', line('', columns));
  for (const facts of [...overAcp, ...oneShots]) {
    const name = nameOf(facts);
    const ground = groundFor(facts);
    try {
      // Also what unpacks the program in its new home and warms up our own modules.
      const calls = await countCalls(facts, ground);
      const time = await measureFirstRequest(facts, ground, seconds);
      print(line(name, row(time, calls)));
      measured.push({ name, time, calls });
    } finally {
      ground.clear();
    }
  }
  print(...measured.flatMap(({ name, time }) => reason(name, time)), '');
  const worst = (of: 'difference' | 'atWork'): number => Math.max(...measured.map(({ time }) => time[of]));
  const figures: [string, Figure][] = [
    ['time to the first model request beyond bare, the worst', atMost(goal, worst('difference'), 'ms')],
    ['processor time of our own until then beyond bare, the worst', recorded(worst('atWork'), 'ms')],
    ...measured.map(({ name, time }): [string, Figure] => [
      `time to the first model request beyond bare, ${name}`,
      atMost(goal, time.difference, 'ms'),
    ]),
    ...measured.map(({ name, calls }): [string, Figure] => [
      `hidden model calls per delegation, ${name}`,
      atMost(0, calls.hidden, 'calls'),
    ]),
  ];
  return Object.fromEntries(figures);
}

export const drivers: Bench = {
  compares: `delegations to the real agent programs through our drivers, against the same programs called bare.
  Both sides give the program the same arguments, environment, input and folder, and over ACP the same requests (checked:
  what the system says of both processes is compared). The bare side is a spawn and, over ACP, a loop over lines of JSON and
  a server that only answers, in place of ours through which results are submitted. The time is from the call of the driver
  (or of spawn) until the scripted model API on 127.0.0.1 has the first request; the worktree is there before. Sides take
  turns, in a process and a home that have seen the program before; "more" is the median of the differences of neighbours,
  "at work" the same of the processor time of our own process, which the rest of the machine does not lengthen.
  A hidden call is one at the model API that is no step of the script. Memory is that of a process of its own which drives
  eight delegations at once until each agent has spoken, written a file and waits for its model, less the same with one.`,
  run: async (print) => ({ ...(await measurePrograms(print)), ...(await measureMemory(print)) }),
};
