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
  ...'3b4c49e6 02500499 8c4f6865 7e83e264 a5d95d7f 5bae2add 82dabef8 2d552a3c'.split(' '),
  ...'b9a7162b b2d1a235 5210acd0 dc564c81 19b67a00 c7c7cd78 512a74b8 ebc63945'.split(' '),
  ...'ac9d8cd1 ea2abdd1 6400913d b815364a 12ecf44d c628b179 00f98921 146dc444'.split(' '),
  ...'a1a735b7 530d238f 20f39f48 7a1d2e4e 80389ffa 8b703d09 7f417b6e c22898d0'.split(' '),
];

const digestOf = (events: readonly RunEvent[]): string =>
  createHash('sha256').update(JSON.stringify(events, facts)).digest('hex').slice(0, 8);

it('simulated worlds have the outcomes that belong to this version of the core', async () => {
  const digests: [seed: number, digest: string][] = [];
  for (let seed = 1; seed <= pinned.length; seed += 1) digests.push([seed, digestOf((await simulate(seed)).events)]);
  expect({ core: coreVersion, digests }).toEqual({ core: 6, digests: pinned.map((digest, at) => [at + 1, digest]) });
});
