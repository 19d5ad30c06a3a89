/** What a driver costs beside the agent program that it drives: time, memory, model calls. */
import { groundFor } from '../tests/clients/drive.ts';
import { type ClientFacts, oneShots, overAcp } from '../tests/clients/facts.ts';
import { atMost, type Bench, type Figure, type Figures, type Print, rounded } from './bench.ts';
import { type FirstRequest, measureFirstRequest } from './drivers-first-request.ts';
import { countCalls } from './drivers-hidden-calls.ts';
import { measureMemory } from './drivers-memory.ts';

/** On each program and way, beyond the fewest pairs. */
const seconds = 12;

const nameOf = ({ client, way }: ClientFacts): string => `${client} ${way === 'acp' ? 'over ACP' : 'one-shot'}`;

function row(name: string, { ours, bare, difference, half, pairs }: FirstRequest, calls: string): string {
  const cells = [ours, bare, difference].map((value) => String(Math.round(value)).padStart(8));
  const spread = `${Math.round(half[0])} to ${Math.round(half[1])}`.padStart(14);
  return `  ${name.padEnd(20)}${cells.join('')}${spread}${String(rounded(ours / bare)).padStart(8)}${String(pairs).padStart(7)}${calls.padStart(12)}`;
}

async function measurePrograms(print: Print): Promise<Figures> {
  const times: [string, Figure][] = [];
  const hidden: [string, Figure][] = [];
  print(
    'To the first model request, milliseconds (medians), and model calls of a whole task:',
    `  ${''.padEnd(20)}    ours    bare    more   half of them   ratio  pairs      hidden`,
  );
  for (const facts of [...overAcp, ...oneShots]) {
    const name = nameOf(facts);
    const ground = groundFor(facts);
    try {
      // Also what unpacks the program in its new home and warms up our own modules.
      const calls = await countCalls(facts, ground);
      const time = await measureFirstRequest(facts, ground, seconds);
      print(row(name, time, `${calls.hidden} of ${calls.made}`));
      times.push([name, atMost(50, time.difference, 'ms')]);
      hidden.push([name, atMost(0, calls.hidden, 'calls')]);
    } finally {
      ground.clear();
    }
  }
  const worst = times.map(([, figure]) => figure).reduce((one, other) => (one.value >= other.value ? one : other));
  const named = (before: string, figures: readonly [string, Figure][]): [string, Figure][] =>
    figures.map(([name, figure]) => [`${before}, ${name}`, figure]);
  print('');
  return Object.fromEntries([
    ['time to the first model request beyond bare, the worst', worst],
    ...named('time to the first model request beyond bare', times),
    ...named('hidden model calls per delegation', hidden),
  ]);
}

export const drivers: Bench = {
  compares: `delegations to the real agent programs through our drivers, against the same programs called bare.
  Both sides give the program the same arguments, environment, input and folder, and over ACP the same requests (checked:
  what the system says of both processes is compared). The bare side is a spawn and, over ACP, a loop over lines of JSON and
  a server that only answers, in place of ours through which results are submitted. The time is from the call of the driver
  (or of spawn) until the scripted model API on 127.0.0.1 has the first request; the worktree is there before. Sides take
  turns, in a process and a home that have seen the program before; "more" is the median of the differences of neighbours.
  A hidden call is one at the model API that is no step of the script. Memory is that of a process of its own which drives
  eight delegations at once until each agent has spoken, written a file and waits for its model, less the same with one.`,
  run: async (print) => ({ ...(await measurePrograms(print)), ...(await measureMemory(print)) }),
};
