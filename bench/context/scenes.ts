/** The conversations that are compared. */
import { sized } from '../bench.ts';
import { spawnSync } from 'node:child_process';
import { deafInTerminal, here, oneCall, oneCallInTerminal, plain, workflow } from './casts.ts';
import { type Size, tasksOf } from './ground.ts';
import type { Scene } from './play.ts';

/** Many returns of usual length, and a few that are far too long. */
export const sizes = {
  many: { waves: [sized(6, 1)], characters: 12_000 },
  long: { waves: [3], characters: 96_000 },
} satisfies Readonly<Record<string, Size>>;

/** About the longest that the client lets through in the foreground: above it there is a preview of 2 KB. */
export const uncut: Size = { waves: [3], characters: 48_000 };

/** A run of twenty tasks, in four waves; with the review of each wave and the final one that is 25 delegations. */
export const twenty: Size = { waves: [5, 5, 5, 5], characters: 12_000 };
export const delegationsOfTwenty: number = tasksOf(twenty).length + twenty.waves.length + 1;

export const nameOf = (size: Size): string =>
  `${tasksOf(size).length} × ${size.characters.toLocaleString('en-US')} characters`;

const conducted = { hasPlugin: true, ends: /The run is completed/ } as const;
const called = { hasPlugin: true, ends: /status=\\+"completed\\+"/ } as const;
const conducting = '/divisi:run --here plan.md';
const whatever = /tool_result/;

type Way = (size: Size) => Omit<Scene, 'name'>;

/** By name. */
export const ways = {
  'plain, foreground': (size) => ({ size, cast: plain(false), ends: whatever }),
  'plain, background': (size) => ({ size, cast: plain(true), ends: /<\/task-notification>/ }),
  "the client's Workflow tool": (size) => ({
    size,
    cast: workflow,
    mode: 'bypassPermissions',
    ends: /<agents_done>\d/,
  }),
  'plugin, subagents in the foreground': (size) => ({ size, cast: here(false), ...conducted }),
  'plugin, subagents in the background': (size) => ({ size, cast: here(true), ...conducted }),
  'plugin, the whole run as one call': (size) => ({ size, cast: oneCall, ...called }),
} satisfies Readonly<Record<string, Way>>;

export type WayName = keyof typeof ways;

/** With all that a person's command brings along. */
export const runsOfTwenty = {
  'plugin, the whole run as one call': { size: twenty, cast: oneCall, ...called, prompt: '/divisi:run plan.md' },
  'plugin, subagents in the foreground': { size: twenty, cast: here(false), ...conducted, prompt: conducting },
  'plugin, subagents in the background': { size: twenty, cast: here(true), ...conducted, prompt: conducting },
} satisfies Readonly<Record<string, Omit<Scene, 'name'>>>;

export const moved = 'plugin, one call in a terminal, moved to the background';

export const deaf = 'plugin, an agent in a terminal that ignores the request for one line';
const deafSize: Size = { waves: [1], characters: 96_000 };

/** Without tmux there is no terminal. */
export const hasTerminal: boolean = spawnSync('tmux', ['-V']).status === 0;

/** Its own scene: how much of a deaf agent's words enters the conversation. */
export const deafScene: Scene = { name: deaf, size: deafSize, cast: deafInTerminal, ...conducted, inTerminal: true };

/** The longest first, so that two who take from them end together. */
export function scenes(): readonly Scene[] {
  const runs = Object.entries(runsOfTwenty).map(([name, scene]) => ({ name: `${name}, twenty`, ...scene }));
  const of = (size: Size): Scene[] =>
    Object.entries(ways).map(([name, way]) => ({ name: `${name}, ${nameOf(size)}`, ...way(size) }));
  const cut = of(uncut).filter(({ name }) => name.includes('foreground'));
  const inTerminal: Scene = {
    name: moved,
    size: sizes.many,
    cast: oneCallInTerminal,
    ...called,
    inTerminal: true,
    isMoved: true,
  };
  return [
    ...runs.toReversed(),
    ...(hasTerminal ? [inTerminal, deafScene] : []),
    ...cut,
    ...of(sizes.many),
    ...of(sizes.long),
  ];
}
