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
  ...'1437d2f8 7df57636 5d381e56 4a548884 ad6044bd 39eef227 8091cf60 88c6931c'.split(' '),
  ...'276457bf ee8191d4 148855c4 2ee20dcf aa833956 660f1bda ca075887 2887fc5d'.split(' '),
  ...'554ea67b df4412aa 6400913d 94d375b0 e8437803 7ed5152c 7bce1897 0fc0296c'.split(' '),
  ...'02af94ee 127a6a8e 7d46b46a 47bfc4dd 9daa8e7e 1e344e6b a54938df 39716d5e'.split(' '),
];

const digestOf = (events: readonly RunEvent[]): string =>
  createHash('sha256').update(JSON.stringify(events, facts)).digest('hex').slice(0, 8);

it('simulated worlds have the outcomes that belong to this version of the core', async () => {
  const digests: [seed: number, digest: string][] = [];
  for (let seed = 1; seed <= pinned.length; seed += 1) digests.push([seed, digestOf((await simulate(seed)).events)]);
  expect({ core: coreVersion, digests }).toEqual({ core: 5, digests: pinned.map((digest, at) => [at + 1, digest]) });
});
