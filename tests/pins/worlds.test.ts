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
  ...'2882e4ef e22c3821 4bf4f9d9 9ec54132 67033b83 09c5c07b fec515c6 adaddb25'.split(' '),
  ...'560c6edd 1d78a5c0 de4c3fd4 2387a8f5 0f6b60e6 ef082551 d9c6c684 9afd22f6'.split(' '),
  ...'9ead0857 5fde5672 166a5d67 609bdd3e 0eb77185 b446af4b b9d5d17e a228f903'.split(' '),
  ...'fdfbe7e1 fe1ac976 021868ba dda41f97 f94bfcd0 9a6a47d9 1acd71ba fd8dc1d2'.split(' '),
];

const digestOf = (events: readonly RunEvent[]): string =>
  createHash('sha256').update(JSON.stringify(events, facts)).digest('hex').slice(0, 8);

it('simulated worlds have the outcomes that belong to this version of the core', async () => {
  const digests: [seed: number, digest: string][] = [];
  for (let seed = 1; seed <= pinned.length; seed += 1) digests.push([seed, digestOf((await simulate(seed)).events)]);
  expect({ core: coreVersion, digests }).toEqual({ core: 6, digests: pinned.map((digest, at) => [at + 1, digest]) });
});
