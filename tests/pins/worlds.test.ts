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
  ...'edd9201e fcd0f063 7b36b310 b85c3c2a 39375838 3179cfae 2c36f08f f2e888d5'.split(' '),
  ...'ef46c3cd ea7d41aa b771fc81 54a56ed9 b5902d2a 62b7eab5 22799dde 43e6fbad'.split(' '),
  ...'818e1446 d89e2d2d 7905f76b 007e0899 3e22c2b4 020d517c b9d5d17e d26d9ed0'.split(' '),
  ...'3921b589 b38ed8b8 53a67c4e f44ce9d3 2342b4f9 742e0e19 db49923b 05e6c890'.split(' '),
];

const digestOf = (events: readonly RunEvent[]): string =>
  createHash('sha256').update(JSON.stringify(events, facts)).digest('hex').slice(0, 8);

it('simulated worlds have the outcomes that belong to this version of the core', async () => {
  const digests: [seed: number, digest: string][] = [];
  for (let seed = 1; seed <= pinned.length; seed += 1) digests.push([seed, digestOf((await simulate(seed)).events)]);
  expect({ core: coreVersion, digests }).toEqual({ core: 8, digests: pinned.map((digest, at) => [at + 1, digest]) });
});
