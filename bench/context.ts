/** What of the work of many agents enters the conversation that has it done. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '../tests/clients/programs.ts';
import { atMost, type Bench, type Figures, type Print, recorded, rounded } from './bench.ts';
import { buildPackage } from './context/package.ts';
import { type Played, play, type Scene } from './context/play.ts';
import { delegationsOfTwenty, runsOfTwenty, sizes, twenty, type WayName, ways } from './context/scenes.ts';
import { type Size, tasksOf } from './context/ground.ts';

const goals = { call: 800, share: 5, fixed: 3_000, run: 10_000, own: 400 };

const nameOf = (size: Size): string =>
  `${tasksOf(size).length} × ${size.characters.toLocaleString('en-US')} characters`;

/** Two side by side: half of the time, clients and hooks wait. */
async function playAll(command: string, scenes: readonly Scene[]): Promise<ReadonlyMap<string, Played>> {
  const played = new Map<string, Played>();
  const left = scenes.values();
  const worker = async (): Promise<void> => {
    for (const scene of left) played.set(scene.name, await play(command, scene));
  };
  await Promise.all([worker(), worker()]);
  return played;
}

const columns = ['characters', 'as text', 'tokens', 'main turns', 'of plain'];

function row(name: string, cells: readonly (number | string)[]): string {
  const shown = cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell));
  return `  ${name.padEnd(46)}${shown.map((cell) => cell.padStart(12)).join('')}`;
}

const shareOf = (one: Played, other: Played): number => (100 * one.added.characters) / other.added.characters;

type Find = (name: string) => Played;

/** Like is compared with like: what runs in the background with the same in the background. */
function twinOf(way: WayName): WayName {
  return way.endsWith('foreground') ? 'plain, foreground' : 'plain, background';
}

function sizeFigures(print: Print, find: Find, size: Size): Figures {
  print('', `${nameOf(size)}, added to the main conversation:`, row('', columns));
  const figures: Record<string, Figures[string]> = {};
  for (const way of Object.keys(ways) as WayName[]) {
    const played = find(`${way}, ${nameOf(size)}`);
    const { added, text, mainTurns } = played;
    const share = shareOf(played, find(`${twinOf(way)}, ${nameOf(size)}`));
    print(row(way, [added.characters, text, added.tokens, mainTurns, `${rounded(share)} %`]));
    const isGoal = way.endsWith('one call') && size === sizes.many;
    const { characters } = added;
    figures[`${way}, ${nameOf(size)}`] = isGoal
      ? atMost(goals.call, characters, 'characters')
      : recorded(characters, 'characters');
    figures[`${way}, ${nameOf(size)}, estimated`] = recorded(added.tokens, 'tokens');
  }
  return figures;
}

/** Of the long returns. */
function shareFigures(print: Print, find: Find): Figures {
  const of = (way: WayName): Played => find(`${way}, ${nameOf(sizes.long)}`);
  const [ours, plain] = [of('plugin, subagents in the foreground'), of('plain, foreground')];
  const background = of('plain, background');
  const against = (one: Played, other: Played): Figures[string] => atMost(goals.share, shareOf(one, other), '%');
  print(
    `  In the foreground the client itself cuts a return above about 50,000 characters down to a preview of 2 KB (plain: ${plain.added.characters}`,
    '  characters in all), and puts a frame of about 640 characters around each return, ours too. In the background it cuts nothing.',
    '  Without a terminal the background is what the client does unless told otherwise, and the foreground what the plugin makes of it.',
  );
  const before = `plugin with subagents, ${nameOf(sizes.long)}`;
  return {
    [`${before}, foreground against plain foreground`]: against(ours, plain),
    [`${before}, background against plain background`]: against(of('plugin, subagents in the background'), background),
    [`${before}, as it is by default against plain as it is by default`]: against(ours, background),
  };
}

function fixedFigures(print: Print, find: Find): Figures {
  const [ours, plain] = [
    find(`plugin, the whole run as one call, ${nameOf(sizes.many)}`),
    find(`plain, foreground, ${nameOf(sizes.many)}`),
  ];
  const more = {
    characters: ours.first.characters - plain.first.characters,
    tokens: ours.first.tokens - plain.first.tokens,
  };
  print(
    '',
    `In every conversation, before anything is asked for: ${more.characters} characters, about ${more.tokens} tokens.`,
  );
  return {
    'fixed cost of tools and instructions': atMost(goals.fixed, more.characters, 'characters'),
    'fixed cost of tools and instructions, estimated': recorded(more.tokens, 'tokens'),
  };
}

function twentyFigures(print: Print, find: Find): Figures {
  const plain = find(`plain, foreground, ${nameOf(sizes.many)}`).first;
  const whole = (name: keyof typeof runsOfTwenty): number => {
    const { added, first } = find(`${name}, twenty`);
    return added.tokens + first.tokens - plain.tokens;
  };
  print('', `A run of ${nameOf(twenty)} in ${twenty.waves.length} waves, ${delegationsOfTwenty} delegations:`);
  print(row('', [...columns.slice(0, 4), 'all tokens']));
  for (const name of Object.keys(runsOfTwenty) as (keyof typeof runsOfTwenty)[]) {
    const { added, text, mainTurns } = find(`${name}, twenty`);
    print(row(name, [added.characters, text, added.tokens, mainTurns, whole(name)]));
  }
  const frames = find('plain, background, returns of one character, twenty').added.characters;
  const own = find('plugin, subagents in the background, twenty').added.characters - frames;
  const tasks = tasksOf(twenty).length;
  return {
    'run of 20 tasks, one call, estimated': atMost(goals.run, whole('plugin, the whole run as one call'), 'tokens'),
    'run of 20 tasks, foreground, estimated': atMost(goals.run, whole('plugin, subagents in the foreground'), 'tokens'),
    'run of 20 tasks, background, estimated': recorded(whole('plugin, subagents in the background'), 'tokens'),
    "run of 20 tasks, background, the client's own frames": recorded(
      frames / delegationsOfTwenty,
      'characters a delegation',
    ),
    'run of 20 tasks, background, our own text': atMost(goals.own, own / tasks, 'characters a task'),
  };
}

async function run(print: Print): Promise<Figures> {
  // Says how to install what is missing, before anything has begun.
  programPath('claude');
  const folder = mkdtempSync(join(tmpdir(), 'tutti-bench-context-'));
  try {
    const command = buildPackage(folder);
    const compared = Object.values(sizes).flatMap((size) =>
      Object.entries(ways).map(([name, way]) => ({ name: `${name}, ${nameOf(size)}`, ...way(size) })),
    );
    const runs = Object.entries(runsOfTwenty).map(([name, scene]) => ({ name: `${name}, twenty`, ...scene }));
    // The longest first: two end together.
    const played = await playAll(command, [...runs.toReversed(), ...compared]);
    const find: Find = (name) => {
      const found = played.get(name);
      if (found === undefined) throw new Error(`${name} was not measured`);
      return found;
    };
    return {
      ...sizeFigures(print, find, sizes.many),
      ...sizeFigures(print, find, sizes.long),
      ...shareFigures(print, find),
      ...fixedFigures(print, find),
      ...twentyFigures(print, find),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const context: Bench = {
  compares: `what enters the main conversation of the real Claude Code (newest, without a terminal), in the ways it can have work done.
  Counted in the requests that the client made: every block of the last request of the main conversation that its first one, before
  anything was delegated, did not have. So calls, results, notifications, what hooks add and the client's own frames count; a call
  that is made twice counts twice. "characters" are those of the blocks as JSON, names and ids included, "as text" without them, tokens are estimated on
  the JSON. Agents write one file and return so many characters as their last message, in disregard of what they were asked for.
  The plain client's conductor gives all tasks out in one message and takes what comes. Workflow is a script that gives back 80
  characters of each agent. The plugin's runs are reviewed, which the others are not: a review of each wave and a final one are in
  the count. The fixed cost is what the first request (tools, instructions, messages) is longer than without the plugin. "all tokens" of a run of 20 tasks
  are its own, the fixed cost and the text of the person's command.
  Not measured: one call in a terminal that takes longer than 120 seconds, which the client then moves to the background.`,
  run,
};
