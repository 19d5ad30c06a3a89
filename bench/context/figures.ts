/** Tables and figures out of what was counted. */
import { atMost, type Figure, type Figures, type Print, recorded, rounded } from '../bench.ts';
import { type Size, tasksOf } from './ground.ts';
import type { Played } from './play.ts';
import {
  deaf,
  deafScene,
  delegationsOfTwenty,
  hasTerminal,
  moved,
  nameOf,
  runsOfTwenty,
  sizes,
  twenty,
  uncut,
  type WayName,
  ways,
} from './scenes.ts';

const goals = { call: 800, share: 5, fixed: 2_000, run: 10_000, own: 400, deaf: 6_500 };

/** By the name of the scene. */
export type Find = (name: string) => Played;

const columns = ['characters', 'as text', 'tokens', 'main turns'];

function row(name: string, cells: readonly (number | string)[]): string {
  const shown = cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell));
  return `  ${name.padEnd(46)}${shown.map((cell) => cell.padStart(12)).join('')}`;
}

const cellsOf = ({ added, text, mainTurns }: Played): number[] => [added.characters, text, added.tokens, mainTurns];
const shareOf = (one: Played, other: Played): number => (100 * one.added.characters) / other.added.characters;

/** Like is compared with like: what runs in the background with the same in the background. */
function twinOf(way: WayName): WayName {
  return way.endsWith('foreground') ? 'plain, foreground' : 'plain, background';
}

export function sizeFigures(print: Print, find: Find, size: Size): Figures {
  print('', `${nameOf(size)}, added to the main conversation:`, row('', [...columns, 'of plain']));
  const figures = (Object.keys(ways) as WayName[]).flatMap((way): [string, Figure][] => {
    const name = `${way}, ${nameOf(size)}`;
    const played = find(name);
    const { characters, tokens } = played.added;
    const share = shareOf(played, find(`${twinOf(way)}, ${nameOf(size)}`));
    print(row(way, [...cellsOf(played), `${rounded(share)} %`]));
    const isGoal = way === 'plugin, the whole run as one call' && size === sizes.many;
    const figure = isGoal ? atMost(goals.call, characters, 'characters') : recorded(characters, 'characters');
    return [
      [name, figure],
      [`${name}, estimated`, recorded(tokens, 'tokens')],
    ];
  });
  return Object.fromEntries(figures);
}

/** How much of the plain client's is left with the plugin's subagents. */
export function shareFigures(print: Print, find: Find): Figures {
  const of = (way: WayName, size: Size): Played => find(`${way}, ${nameOf(size)}`);
  const share = (way: WayName, plain: WayName, size: Size): Figure =>
    atMost(goals.share, shareOf(of(way, size), of(plain, size)), '%');
  const [foreground, background] = [
    'plugin, subagents in the foreground',
    'plugin, subagents in the background',
  ] as const;
  const [short, long] = [of('plain, foreground', uncut), of('plain, foreground', sizes.long)];
  print(
    '',
    `In the foreground the client cuts returns above about 50,000 characters down to a preview of 2 KB each: ${nameOf(sizes.long)} are`,
    `${long.added.characters} for plain, ${nameOf(uncut)} are ${short.added.characters}. Its own frame of about 850 characters stays around each of ours. In the background`,
    'it cuts nothing. Without a terminal, background is what it does unless told otherwise; the plugin then makes it foreground.',
  );
  const before = `plugin with subagents, ${nameOf(sizes.long)}`;
  return {
    [`${before}, foreground against foreground`]: share(foreground, 'plain, foreground', sizes.long),
    [`${before}, background against background`]: share(background, 'plain, background', sizes.long),
    [`${before}, unless told otherwise against the same`]: share(foreground, 'plain, background', sizes.long),
    [`plugin with subagents, ${nameOf(uncut)}, foreground against foreground`]: share(
      foreground,
      'plain, foreground',
      uncut,
    ),
  };
}

/** In a terminal the client moves a call that lasts for two minutes to the background. */
export function terminalFigures(print: Print, find: Find): Figures {
  if (!hasTerminal) {
    print('', 'One call in a terminal: not measured, tmux is not installed.');
    return {};
  }
  const played = find(moved);
  print(
    '',
    `${nameOf(sizes.many)}, in a terminal:`,
    row('', columns),
    row('plugin, one call, moved to the background', cellsOf(played)),
  );
  return { [`${moved}, ${nameOf(sizes.many)}`]: recorded(played.added.characters, 'characters') };
}

/**
 * The most that an agent can do to the conversation: it is asked for one line, again and again, and never says it. The goal is about
 * what a run of the same size takes whose agents do as they are asked.
 */
export function deafFigures(print: Print, find: Find): Figures {
  if (!hasTerminal) {
    print('', 'An agent that ignores the request for one line: not measured, tmux is not installed.');
    return {};
  }
  const played = find(deaf);
  print(
    '',
    `${nameOf(deafScene.size)}, in a terminal:`,
    row('', columns),
    row('plugin, a deaf agent', cellsOf(played)),
  );
  return { [`${deaf}, ${nameOf(deafScene.size)}`]: atMost(goals.deaf, played.added.characters, 'characters') };
}

export function fixedFigures(print: Print, find: Find): Figures {
  const { first } = find(`plugin, the whole run as one call, ${nameOf(sizes.many)}`);
  const plain = find(`plain, foreground, ${nameOf(sizes.many)}`).first;
  const [characters, tokens] = [first.characters - plain.characters, first.tokens - plain.tokens];
  print('', `In every conversation, before anything is asked for: ${characters} characters, about ${tokens} tokens.`);
  return {
    'fixed cost of tools and instructions': atMost(goals.fixed, characters, 'characters'),
    'fixed cost of tools and instructions, estimated': recorded(tokens, 'tokens'),
  };
}

export function twentyFigures(print: Print, find: Find): Figures {
  const plain = find(`plain, foreground, ${nameOf(sizes.many)}`).first;
  const whole = ({ added, first }: Played): number => added.tokens + first.tokens - plain.tokens;
  const of = (way: keyof typeof runsOfTwenty): Played => find(`${way}, twenty`);
  print('', `A run of ${nameOf(twenty)} in ${twenty.waves.length} waves, ${delegationsOfTwenty} delegations:`);
  print(row('', [...columns, 'all tokens']));
  for (const way of Object.keys(runsOfTwenty) as (keyof typeof runsOfTwenty)[])
    print(row(way, [...cellsOf(of(way)), whole(of(way))]));
  const [foreground, background] = [
    of('plugin, subagents in the foreground'),
    of('plugin, subagents in the background'),
  ];
  const frames = (background.text - background.own) / delegationsOfTwenty;
  const own = background.own / tasksOf(twenty).length;
  return {
    'run of 20 tasks, one call, estimated': atMost(goals.run, whole(of('plugin, the whole run as one call')), 'tokens'),
    'run of 20 tasks, foreground, estimated': atMost(goals.run, whole(foreground), 'tokens'),
    'run of 20 tasks, background, estimated': recorded(whole(background), 'tokens'),
    "run of 20 tasks, background, the client's own frames": recorded(frames, 'characters a delegation'),
    'run of 20 tasks, background, our own text': atMost(goals.own, own, 'characters a task'),
  };
}
