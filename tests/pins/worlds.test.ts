/**
 * The outcomes of simulated worlds, without their texts. A refactoring changes none of them. A change of the core's rules changes
 * some: it raises `coreVersion`, because a run keeps the rules it was started with. A change of the simulation alone does not.
 */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { RunEvent } from '../../src/core/event/event.ts';
import { coreVersion } from '../../src/core/state/state.ts';
import { simulate } from '../simulation/simulate.ts';

/** The facts of an event, at any depth. */
const facts = [
  ...'kind at task tasks id delegation attempt tier class deadline wave role gate finding'.split(' '),
  ...'end outcome status failure verification verdict priority commit commands ok onto head'.split(' '),
  ...'checkpoint type afterWave signature budget approved by for time amendments'.split(' '),
];

/** By seed, from 1. */
const pinned = [
  ...'fb2c34e6 fcd0f063 0f006a23 b85c3c2a 8cb7da6f d5242dfc 6e5fef42 a69c0f2d'.split(' '),
  ...'fea734f2 ea7d41aa d5729ce7 c1c074b3 2c1bb17f 62b7eab5 676f91fa 450ad70d'.split(' '),
  ...'295fa1ae d89e2d2d b63f9ed5 8b699fcc 44f7e7ea 50967bd3 b9d5d17e c846b246'.split(' '),
  ...'e46980e7 b38ed8b8 53a67c4e c7339df0 41ed2888 742e0e19 e7620e1f 05e6c890'.split(' '),
];

const digestOf = (events: readonly RunEvent[]): string =>
  createHash('sha256').update(JSON.stringify(events, facts)).digest('hex').slice(0, 8);

it('simulated worlds have the outcomes that belong to this version of the core', async () => {
  const digests: [seed: number, digest: string][] = [];
  for (let seed = 1; seed <= pinned.length; seed += 1) digests.push([seed, digestOf((await simulate(seed)).events)]);
  expect({ core: coreVersion, digests }).toEqual({ core: 8, digests: pinned.map((digest, at) => [at + 1, digest]) });
});
